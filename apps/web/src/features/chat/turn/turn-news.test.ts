import type { LatestTurn } from '@docwright/contract';
import { expect, it } from 'vitest';
import { emptyChat, type ChatState } from '../../../agent-ui/chat-state.ts';
import { turnNews } from './turn-news.ts';

const shown = (state: Partial<ChatState>): ChatState => ({ ...emptyChat, turnId: 'one', lastEventId: 9, ...state });
const latest = (turn: Partial<LatestTurn>): LatestTurn => ({
  turn_id: 'one',
  status: 'completed',
  event_count: 9,
  ...turn,
});
const waiting = { status: 'awaiting_approval' } as const;
const refused: ChatState = { ...emptyChat, notice: { status: 'refused' } };

it.each([
  ['nothing has run yet', shown({}), null, 'nothing'],
  ['the turn that is shown has ended', shown({}), latest({}), 'nothing'],
  ['the turn that is shown waits', shown({ phase: 'awaiting_approval' }), latest(waiting), 'nothing'],
  ['this page runs it itself', shown({ phase: 'running' }), latest({ turn_id: 'two' }), 'nothing'],
  ['decided elsewhere', shown({ phase: 'awaiting_approval' }), latest({ status: 'running' }), 'goes_on'],
  ['decided elsewhere and over', shown({ phase: 'awaiting_approval' }), latest({ event_count: 14 }), 'read_again'],
  [
    'waits for the next batch',
    shown({ phase: 'awaiting_approval' }),
    latest({ ...waiting, event_count: 14 }),
    'read_again',
  ],
  ['begun elsewhere', shown({}), latest({ turn_id: 'two', status: 'running' }), 'read_again'],
  ['refused here, ended there', refused, latest({ status: 'failed' }), 'over'],
  ['refused here, runs elsewhere', refused, latest({ status: 'running' }), 'read_again'],
])('%s', (_, state, turn, news) => {
  expect(turnNews(state, turn)).toBe(news);
});
