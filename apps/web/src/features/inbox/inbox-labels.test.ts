import type { ApprovalOutcome } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { outcomeLabel, timeLeft, waitingLabel } from './inbox-labels.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const outcome = (status: ApprovalOutcome['status']): ApprovalOutcome => ({ turn_id: 't', call_id: 'c', status });

describe('the labels of the inbox', () => {
  it.each([
    ['2026-11-27T12:00:00Z', '7 d left', false],
    ['2026-11-20T17:30:00Z', '5 h left', true],
    ['2026-11-20T12:00:10Z', '1 min left', true],
    ['2026-11-20T11:59:59Z', 'expired', true],
  ])('say how long is left until %s: %s', (expires, words, isSoon) => {
    expect(timeLeft(expires, now)).toEqual({ words, isSoon });
  });

  it('count decided and undecided calls', () => {
    expect(outcomeLabel([outcome('decided')], true)).toBe('Approved 1.');
    expect(outcomeLabel([outcome('decided'), outcome('conflict'), outcome('forbidden')], false)).toBe(
      'Rejected 1. 1 changed meanwhile, 1 beyond your rights.',
    );
    expect(outcomeLabel([outcome('expired')], true)).toBe('Nothing was decided. 1 expired.');
  });

  it('count decisions, and changes if there are more of them', () => {
    expect(waitingLabel(1, 1)).toBe('1 decision waits for you');
    expect(waitingLabel(2, 41)).toBe('2 decisions, 41 changes wait for you');
  });
});
