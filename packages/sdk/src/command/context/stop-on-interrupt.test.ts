import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Output } from '../terminal/output.ts';
import { Interrupted } from './exit-codes.ts';
import { stopOnInterrupt } from './stop-on-interrupt.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched({ canStop = true }: { canStop?: boolean } = {}) {
  const notes: string[] = [];
  const stop = vi.fn(async () => undefined);
  let interrupt = () => undefined as void;
  const interrupts = stopOnInterrupt(
    {
      output: { note: (text: string) => void notes.push(text) } as Output,
      onInterrupt(listener) {
        interrupt = listener;
        return () => undefined;
      },
    },
    { name: 'turn', beforeMessage: () => undefined, canStop: () => canStop, stop, howToContinue: () => 'Left.' },
  );
  return { interrupts, interrupt: () => interrupt(), notes, stop };
}

test('a first Ctrl-C stops the work after a moment', () => {
  const { interrupts, interrupt, notes, stop } = watched();
  interrupt();
  expect(notes).toEqual(['Stopping the turn. Press Ctrl-C again to leave it running in the server.']);
  expect(stop).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_500);
  expect(stop).toHaveBeenCalledOnce();
  expect(interrupts.signal.aborted).toBe(false);
});

test('a second Ctrl-C leaves the work running', () => {
  const { interrupts, interrupt, stop } = watched();
  interrupt();
  interrupt();
  expect(interrupts.signal.reason).toBeInstanceOf(Interrupted);
  interrupts.close();
  vi.advanceTimersByTime(1_500);
  expect(stop).not.toHaveBeenCalled();
});

test('work without a name in the server cannot be stopped, only left', () => {
  const { interrupts, interrupt, notes } = watched({ canStop: false });
  interrupt();
  expect(interrupts.signal.reason).toMatchObject({ message: 'Left.' });
  expect(notes).toEqual([]);
});
