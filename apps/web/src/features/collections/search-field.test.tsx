import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

const field = () => screen.getByRole<HTMLInputElement>('textbox');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const onSearch = vi.fn<(text: string) => void>();
const searchField = (value: string) => (
  <Tooltip.Provider>
    <SearchField value={value} label="Search" onSearch={onSearch} onDown={() => undefined} searching={false} />
  </Tooltip.Provider>
);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  onSearch.mockReset();
  cleanup();
});

it('searches after a pause in typing, and at once on Enter', () => {
  render(searchField(''));
  type('re');
  advance(150);
  type(' rent ');
  advance(150);
  expect(onSearch).not.toHaveBeenCalled();
  advance(100);
  expect(onSearch.mock.calls).toEqual([['rent']]);
  type('rent deposit');
  fireEvent.submit(field().closest('form')!);
  expect(onSearch).toHaveBeenLastCalledWith('rent deposit');
});

it('keeps newer text while the URL follows, and adopts a changed URL', () => {
  const { rerender } = render(searchField(''));
  type('rent');
  advance(300);
  type('rent de');
  rerender(searchField('rent'));
  expect(field().value).toBe('rent de');
  advance(300);
  expect(onSearch).toHaveBeenLastCalledWith('rent de');
  rerender(searchField('rent de'));
  rerender(searchField('garage'));
  expect(field().value).toBe('garage');
  advance(300);
  expect(onSearch).toHaveBeenCalledTimes(2);
});
