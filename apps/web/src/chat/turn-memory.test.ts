import { afterEach, expect, it } from 'vitest';
import { recordedTurn } from './testing/recorded-turn.ts';
import { forgetTurn, rememberTurn, turnToFollow } from './turn-memory.ts';

const [first, , last] = recordedTurn.segments;
const threadId = first!.thread.id;
const { pending_turn: _pending, ...running } = first!.thread;

afterEach(() => {
  window.localStorage.clear();
});

it('leads back to a turn that was running, until it has come to a pause or its end', () => {
  expect(turnToFollow(running)).toBeUndefined();
  rememberTurn(threadId, 'turn');
  expect(turnToFollow(running)).toBe('turn');
  expect(turnToFollow(first!.thread)).toBeUndefined();
  expect(turnToFollow(last!.thread)).toBeUndefined();
  forgetTurn(threadId);
  expect(turnToFollow(running)).toBeUndefined();
});
