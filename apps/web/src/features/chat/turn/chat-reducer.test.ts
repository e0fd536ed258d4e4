import type { ProposedCall, TurnAnswer, TurnEvent } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { chatReducer } from './chat-reducer.ts';
import { emptyChat, pendingCards, type ChatAction, type ChatState } from '../../../agent-ui/chat-state.ts';
import { recordedTurn } from '../testing/recorded-turn.ts';
import { threadToState } from './thread-to-state.ts';

const run = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(chatReducer, state);
const { text, segments } = recordedTurn;
const allFrames = segments.flatMap(({ frames }) => frames);

/** The visible state; the rest tracks how far this page has read. */
const visible = ({ threadId, entries, phase }: ChatState) => ({ threadId, entries, phase });

/** The state after each segment, from live events. */
function liveStates(): ChatState[] {
  const states: ChatState[] = [];
  let state = run(emptyChat, { type: 'message_sent', text });
  for (const { frames, decisions } of segments) {
    state = run(state, { type: 'frames', frames });
    states.push(state);
    if (decisions) state = run(state, { type: 'decided', decisions });
  }
  return states;
}

describe('a recorded turn', () => {
  it('has the same state live and loaded from the server, at each pause and at the end', () => {
    for (const [index, state] of liveStates().entries()) {
      expect(visible(state)).toEqual(visible(threadToState(segments[index]!.thread)));
    }
  });

  it('knows the pending turn and its calls after a reload', () => {
    const state = threadToState(segments[0]!.thread);
    expect(state.phase).toBe('awaiting_approval');
    expect(state.turnId).toBe(segments[0]!.thread.pending_turn?.turn_id);
    expect(pendingCards(state).map(({ name }) => name)).toEqual(['create_tag']);
    expect(pendingCards(state)[0]?.proposal?.summary).not.toBe('');
  });

  it('continues after a reload', () => {
    const [, second, third] = segments;
    const reloaded = run(
      threadToState(second!.thread),
      { type: 'decided', decisions: second!.decisions! },
      { type: 'frames', frames: third!.frames },
    );
    expect(visible(reloaded)).toEqual(visible(liveStates().at(-1)!));
  });

  it('continues from the last event after a decision in another window', () => {
    const [first, second] = segments;
    const { pending_turn } = first!.thread;
    const latest_turn = {
      turn_id: pending_turn!.turn_id,
      status: pending_turn!.status,
      event_count: first!.frames.at(-1)!.id,
    };
    const waiting = threadToState({ ...first!.thread, latest_turn });
    const elsewhere = run(waiting, { type: 'decided_elsewhere' });
    expect(elsewhere.phase).toBe('running');
    expect(pendingCards(elsewhere)).toEqual([]);
    expect(visible(run(elsewhere, { type: 'frames', frames: second!.frames }))).toEqual(visible(liveStates()[1]!));
  });

  it('stays pending when a decision is rejected', () => {
    const waiting = threadToState(segments[0]!.thread);
    const refused = run(waiting, { type: 'request_failed', notice: { status: 'decision_refused' } });
    expect(refused).toMatchObject({ phase: 'awaiting_approval', notice: { status: 'decision_refused' } });
  });

  it('can be replayed onto any stored part of it', () => {
    const end = visible(liveStates().at(-1)!);
    for (const { thread } of segments) {
      const { pending_turn: _pending, ...running } = thread;
      expect(visible(run(threadToState(running), { type: 'frames', frames: allFrames }))).toEqual(end);
    }
  });

  it('applies a repeated event once', () => {
    let state = run(emptyChat, { type: 'message_sent', text });
    for (let read = 1; read <= allFrames.length; read += 3) {
      state = run(state, { type: 'frames', frames: allFrames.slice(0, read) });
    }
    state = run(state, { type: 'frames', frames: allFrames });
    expect(visible(state)).toEqual(visible(liveStates().at(-1)!));
  });

  it('keeps the outcome of each card', () => {
    const cards = liveStates()
      .at(-1)!
      .entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards : []));
    expect(cards.map(({ name, state }) => [name, state])).toEqual([
      ['list_tags', 'done'],
      ['list_documents', 'done'],
      ['create_tag', 'done'],
      ['update_document', 'rejected'],
    ]);
    expect(cards.at(-1)?.error).toContain('Not now');
  });
});

const call = (id: string, name: string, needsApproval: boolean): ProposedCall => ({
  id,
  name,
  arguments: '{}',
  effect: needsApproval ? 'read_write' : 'read_only',
  summary: name,
  needs_approval: needsApproval,
});
const answer = (status: TurnAnswer['status'], calls: ProposedCall[]): TurnAnswer => ({
  thread_id: 't',
  turn_id: 'u',
  status,
  text: '',
  working_state: { schema_revid: null, prompt_revid: null, extraction: null },
  executed_rounds: [],
  tool_calls: calls,
  usage: { prompt_tokens: 1, completion_tokens: 1, spu: 1, estimated: false },
});
const framesOf = (...events: TurnEvent[]) => events.map((event, index) => ({ id: index + 1, event }));
const mixed = [call('r', 'get_ocr_text', false), call('w', 'create_tag', true), call('x', 'delete_tag', true)];
const paused = run(
  emptyChat,
  { type: 'message_sent', text: 'go' },
  {
    type: 'frames',
    frames: framesOf(
      { type: 'turn_started', turn_id: 'u', thread_id: 't', model: 'm' },
      { type: 'tool_calls', round_index: 0, tool_calls: mixed },
      { type: 'done', result: answer('awaiting_approval', mixed) },
    ),
  },
);
const statesOf = (state: ChatState) =>
  state.entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards.map((card) => card.state) : []));

describe('a mixed batch', () => {
  it('asks only about calls that need approval', () => {
    expect(statesOf(paused)).toEqual(['proposed', 'waiting', 'waiting']);
  });

  it('shows decisions before the server answers', () => {
    const decided = run(paused, {
      type: 'decided',
      decisions: [
        { call_id: 'w', approved: true },
        { call_id: 'x', approved: false, reason: 'keep it' },
      ],
    });
    expect(decided.phase).toBe('running');
    expect(statesOf(decided)).toEqual(['running', 'running', 'rejected']);
  });

  it('distinguishes stale calls from failed ones', () => {
    const results: TurnEvent[] = [
      { type: 'tool_result', round_index: 0, call_id: 'w', name: 'create_tag', success: false, error: 'No such name.' },
      {
        type: 'tool_result',
        round_index: 0,
        call_id: 'x',
        name: 'x',
        success: false,
        error: 'stale_proposal: moved on',
      },
    ];
    const frames = results.map((event, index) => ({ id: 4 + index, event }));
    expect(statesOf(run(paused, { type: 'frames', frames }))).toEqual(['proposed', 'failed', 'stale']);
  });

  it('never runs after a newer message or an error has ended its turn', () => {
    const superseded = run(paused, { type: 'message_sent', text: 'something else' });
    expect(pendingCards(superseded)).toEqual([]);
    const failed = run(paused, {
      type: 'frames',
      frames: [{ id: 4, event: { type: 'error', code: 'model_unreachable', message: 'Start the model.' } }],
    });
    expect(failed).toMatchObject({ phase: 'idle', notice: { status: 'failed', message: 'Start the model.' } });
    expect(statesOf(failed)).toEqual(['proposed', 'proposed', 'proposed']);
  });
});

it('gives a refused message back when the conversation is loaded with the turn of another window', () => {
  const { thread } = segments[0]!;
  const refused = run(
    { ...emptyChat, threadId: thread.id },
    { type: 'message_sent', text: 'Add the total' },
    { type: 'request_failed', notice: { status: 'refused', message: 'A turn runs.' } },
  );
  const loaded = run(refused, { type: 'thread_loaded', thread });
  expect(loaded).toMatchObject({ unsent: 'Add the total' });
  expect(visible(loaded)).toEqual(visible(threadToState(thread)));
  expect(run(loaded, { type: 'message_sent', text: 'Add the total' })).not.toHaveProperty('unsent');
  expect(run(refused, { type: 'thread_loaded', thread: { ...thread, id: 'another' } })).not.toHaveProperty('unsent');
});
