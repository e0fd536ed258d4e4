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

function advance(milliseconds: number) {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

describe('thinking', () => {
  it('is open with a running timer, closes a second after it ends and shows its duration', () => {
    const { rerender } = render(<Thinking text="The total is at the end." live durationMs={undefined} />);
    advance(3000);
    expect(screen.getByRole('button', { expanded: true }).textContent).toContain('3 s');
    rerender(<Thinking text="The total is at the end." live={false} durationMs={undefined} />);
    advance(900);
    expect(screen.queryByText('The total is at the end.')).not.toBeNull();
    advance(200);
    expect(screen.queryByText('The total is at the end.')).toBeNull();
    advance(60_000);
    expect(screen.getByRole('button').textContent).toContain('Thought for 3 s');
  });

  it('shows the duration measured by the server after a reload', () => {
    render(<Thinking text="The total is at the end." live={false} durationMs={12_400} />);
    expect(screen.getByRole('button', { expanded: false }).textContent).toContain('Thought for 12 s');
  });
});
