import { describe, expect, it } from 'vitest';
import { denialReason, stalenessReason, withOutcome, withStoredOutcome } from './call-outcome.ts';
import type { ToolCard } from './chat-state.ts';

const card: ToolCard = { id: 'call', name: 'update_prompt', arguments: '{}', state: 'running' };
const stale =
  'stale_proposal: the prompt has changed since this call was proposed. It was not run. Read what is there now and propose it anew.';
const denied =
  'This call is not permitted: a rule of the document denies update_prompt. Do not try to reach the same in another way; tell the person that a permission rule stands against it.';

describe('the outcome of a card', () => {
  it('recognizes stale and denied calls, in live events and in stored messages', () => {
    for (const [error, state] of [
      [stale, 'stale'],
      [denied, 'denied'],
      ['The prompt is gone; a stale_proposal is something else.', 'failed'],
    ] as const) {
      expect(withOutcome(card, false, undefined, error).state).toBe(state);
      const content = JSON.stringify({ error });
      const stored = { id: 'm', role: 'tool', content, success: false, created_at: '' } as const;
      expect(withStoredOutcome(card, stored)).toMatchObject({ state, error });
    }
  });

  it('gives the user the reason without the instructions for the model', () => {
    expect(denialReason(withOutcome(card, false, undefined, denied))).toBe(
      'a rule of the document denies update_prompt.',
    );
    expect(stalenessReason(withOutcome(card, false, undefined, stale))).toMatch(
      /^Not run: the prompt has changed since this call was proposed\./u,
    );
  });
});
