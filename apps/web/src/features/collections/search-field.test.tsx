import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Tooltip } from 'radix-ui';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

const field = () => screen.getByRole<HTMLInputElement>('textbox');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const onSearch = vi.fn<(text: string) => void>();
const shown = (value: string) => (
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

it('searches once the typing rests, and at once on Enter', () => {
  render(shown(''));
  type('re');
  pass(150);
  type(' rent ');
  pass(150);
  expect(onSearch).not.toHaveBeenCalled();
  pass(100);
  expect(onSearch.mock.calls).toEqual([['rent']]);
  type('rent deposit');
  fireEvent.submit(field().closest('form')!);
  expect(onSearch).toHaveBeenLastCalledWith('rent deposit');
});

it('keeps what is typed while the address follows, and takes over what it says by itself', () => {
  const { rerender } = render(shown(''));
  type('rent');
  pass(300);
  type('rent de');
  rerender(shown('rent'));
  expect(field().value).toBe('rent de');
  pass(300);
  expect(onSearch).toHaveBeenLastCalledWith('rent de');
  rerender(shown('rent de'));
  rerender(shown('garage'));
  expect(field().value).toBe('garage');
  pass(300);
  expect(onSearch).toHaveBeenCalledTimes(2);
});
