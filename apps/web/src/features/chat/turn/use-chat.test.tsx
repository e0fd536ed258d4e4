import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pendingCards } from '../../../agent-ui/chat-state.ts';
import { recordedTurn } from '../testing/recorded-turn.ts';
import { useChat } from './use-chat.ts';

const [{ thread }] = recordedTurn.segments as [(typeof recordedTurn.segments)[number]];
const noop = () => undefined;

let isAway: boolean;

beforeEach(() => {
  isAway = false;
  vi.stubGlobal('fetch', async (address: string) => {
    if (isAway) throw new TypeError('Failed to fetch');
    return Response.json(address.endsWith('/latest_turn') ? { latest_turn: thread.latest_turn ?? null } : thread);
  });
});
afterEach(() => vi.unstubAllGlobals());

const place = { orgId: 'o', documentId: 'd' };
const openChat = () =>
  renderHook(() => useChat({ place, threadId: thread.id, onThread: noop, onToolResult: noop, onPause: noop })).result;

it('keeps the conversation on the page when a decision does not reach the server', async () => {
  const chat = openChat();
  await waitFor(() => expect(pendingCards(chat.current.state)).toHaveLength(1));
  const [card] = pendingCards(chat.current.state);
  isAway = true;
  act(() => chat.current.decide([{ call_id: card!.id, approved: true }], []));
  await waitFor(() => expect(chat.current.state.notice?.status).toBe('decision_refused'));
  const { state, loadError } = chat.current;
  expect(loadError).toBeUndefined();
  expect(state.entries.at(-1)).toMatchObject({ cards: expect.arrayContaining([{ ...card, state: 'proposed' }]) });
  isAway = false;
  await act(async () => await chat.current.reload());
  expect(pendingCards(chat.current.state)).toEqual([card]);
});
