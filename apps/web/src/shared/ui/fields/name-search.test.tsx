import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NameSearch } from './name-search.tsx';

const field = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const onSearch = vi.fn<(text: string) => void>();
const nameSearch = (value: string) => <NameSearch value={value} onChange={(text) => onSearch(text)} />;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  onSearch.mockReset();
  cleanup();
});

it('searches after a pause in typing, whatever else is rendered meanwhile', () => {
  const { rerender } = render(nameSearch(''));
  type('inv');
  advance(200);
  rerender(nameSearch(''));
  advance(100);
  expect(onSearch.mock.calls).toEqual([['inv']]);
});

it('searches at once when the user goes elsewhere: a later search would lead back from the next page', () => {
  render(nameSearch(''));
  type('inv');
  fireEvent.blur(field());
  expect(onSearch.mock.calls).toEqual([['inv']]);
  advance(300);
  expect(onSearch).toHaveBeenCalledOnce();
});

it('keeps newer text while the URL follows, and adopts a changed URL', () => {
  const { rerender } = render(nameSearch(''));
  type('inv');
  advance(300);
  type('invoice');
  rerender(nameSearch('inv'));
  expect(field().value).toBe('invoice');
  rerender(nameSearch(''));
  expect(field().value).toBe('');
});
