import type { LatestTurn } from '@docwright/contract';
import { expect, it } from 'vitest';
import { emptyChat, type ChatState } from '../../../agent-ui/chat-state.ts';
import { turnUpdate } from './turn-update.ts';

const state = (change: Partial<ChatState>): ChatState => ({ ...emptyChat, turnId: 'one', lastEventId: 9, ...change });
const latest = (turn: Partial<LatestTurn>): LatestTurn => ({
  turn_id: 'one',
  status: 'completed',
  event_count: 9,
  ...turn,
});
const pending = { status: 'awaiting_approval' } as const;
const rejected: ChatState = { ...emptyChat, notice: { status: 'refused' } };

it.each([
  ['no turn has run', state({}), null, 'none'],
  ['the shown turn has finished', state({}), latest({}), 'none'],
  ['the shown turn is pending', state({ phase: 'awaiting_approval' }), latest(pending), 'none'],
  ['this page streams the turn', state({ phase: 'running' }), latest({ turn_id: 'two' }), 'none'],
  ['decided in another window', state({ phase: 'awaiting_approval' }), latest({ status: 'running' }), 'resume'],
  [
    'decided in another window and finished',
    state({ phase: 'awaiting_approval' }),
    latest({ event_count: 14 }),
    'reload',
  ],
  [
    'pending with the next batch',
    state({ phase: 'awaiting_approval' }),
    latest({ ...pending, event_count: 14 }),
    'reload',
  ],
  ['started in another window', state({}), latest({ turn_id: 'two', status: 'running' }), 'reload'],
  ['rejected here, failed on the server', rejected, latest({ status: 'failed' }), 'finished'],
  ['rejected here, runs in another window', rejected, latest({ status: 'running' }), 'reload'],
])('%s', (_, shown, turn, update) => {
  expect(turnUpdate(shown, turn)).toBe(update);
});
