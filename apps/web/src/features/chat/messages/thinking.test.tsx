import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Thinking } from './thinking.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function pass(milliseconds: number) {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

describe('thinking', () => {
  it('is open with a running timer, closes a second after it ends and keeps its duration', () => {
    const { rerender } = render(<Thinking text="The total is at the end." live durationMs={undefined} />);
    pass(3000);
    expect(screen.getByRole('button', { expanded: true }).textContent).toContain('3 s');
    rerender(<Thinking text="The total is at the end." live={false} durationMs={undefined} />);
    pass(900);
    expect(screen.queryByText('The total is at the end.')).not.toBeNull();
    pass(200);
    expect(screen.queryByText('The total is at the end.')).toBeNull();
    pass(60_000);
    expect(screen.getByRole('button').textContent).toContain('Thought for 3 s');
  });

  it('tells after a reload how long it took, as the server measured it', () => {
    render(<Thinking text="The total is at the end." live={false} durationMs={12_400} />);
    expect(screen.getByRole('button', { expanded: false }).textContent).toContain('Thought for 12 s');
  });
});
