import { cleanup, renderHook, act, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ReasoningChoice, useChosenReasoning } from './reasoning-choice.tsx';

afterEach(cleanup);

it('keeps the level for the conversation that gets its id with the first message, and for no other', () => {
  const { result, rerender } = renderHook(({ id }: { id: string | undefined }) => useChosenReasoning(id), {
    initialProps: { id: undefined as string | undefined },
  });
  expect(result.current.reasoning).toBeUndefined();
  act(() => result.current.choose('high'));
  rerender({ id: 't1' });
  expect(result.current.reasoning).toBe('high');
  rerender({ id: 't2' });
  expect(result.current.reasoning).toBeUndefined();
});

it('shows what was stored for the conversation, else how the model thinks on its own', () => {
  const model = { id: 'large', provider: 'acme', chat_agent: true, default: true };
  const choice = { reasoning: undefined, choose: () => undefined, model };
  const { rerender } = render(<ReasoningChoice {...choice} stored="low" />);
  expect(screen.getByRole('button').getAttribute('aria-label')).toBe('Thinking: Thinking: a little');
  rerender(<ReasoningChoice {...choice} stored={undefined} />);
  expect(screen.getByRole('button').getAttribute('aria-label')).toBe('Thinking: Thinking');
  rerender(<ReasoningChoice {...choice} stored="low" model={{ ...model, id: 'demo-rules-1' }} />);
  expect(screen.queryByRole('button')).toBeNull();
});
