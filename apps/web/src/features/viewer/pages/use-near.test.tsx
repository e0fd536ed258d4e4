// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useNear } from './use-near.ts';

type Report = (entries: { isIntersecting: boolean }[]) => void;

let report: Report;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: Report) {
        report = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const moves = (...entries: boolean[]) =>
  act(() => {
    report(entries.map((isIntersecting) => ({ isIntersecting })));
    vi.advanceTimersByTime(60);
  });

it('follows the last of several moves that a busy browser reports together', () => {
  const element = { current: document.createElement('div') };
  const { result } = renderHook(() => useNear(element, null, '100% 0px'));
  expect(result.current).toBe(false);
  moves(true, false);
  expect(result.current).toBe(false);
  moves(true);
  expect(result.current).toBe(true);
  moves(false, true);
  expect(result.current).toBe(true);
});
