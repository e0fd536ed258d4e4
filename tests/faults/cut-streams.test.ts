import type { CallAnswers, Thread, TurnAnswer, TurnEvent } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  framesOf,
  userMessage,
  startChatTestBench,
  type ChatTestBench,
} from '../../apps/api/src/testing/chat-test-bench.ts';
import { chatReducer } from '../../apps/web/src/features/chat/turn/chat-reducer.ts';
import { emptyChat, type ChatState } from '../../apps/web/src/agent-ui/chat-state.ts';
import { threadToState } from '../../apps/web/src/features/chat/turn/thread-to-state.ts';

let bench: ChatTestBench;
let chat: string;
beforeAll(async () => {
  bench = await startChatTestBench();
  ({ chat } = await bench.documentOf(bench.admin));
});
afterAll(async () => bench.stop());

interface ReadFrame {
  id: number;
  event: TurnEvent;
}
type Frames = AsyncGenerator<ReadFrame, undefined>;

const text = 'Tag it';
const question = { header: 'Total', question_text: 'Which?', options: [{ label: 'Net' }, { label: 'Gross' }] };

/** A turn that thinks, reads, writes, asks, writes again and ends with a text: one call is approved, one answered, one rejected. */
function scriptTurn(name: string): void {
  const tag = (which: string) => ({ name: 'create_tag', args: { name: `${name}-${which}` } });
  bench.script(
    { thinking: 'Let me see.', text: ['I shall ', 'look first.'], calls: [{ name: 'list_tags' }, tag('first')] },
    { thinking: 'Hm.', text: 'One question.', calls: [{ name: 'ask_questions', args: { questions: [question] } }] },
    { text: 'One more.', calls: [tag('second')] },
    { thinking: 'Fine.', text: ['There ', 'it ', 'is.'] },
  );
}

/** The frames of a response; breaking out of the loop cuts the connection. */
async function* open(route: string, request: { body?: object; after?: number }): Frames {
  const { accessToken, organizationId } = bench.admin;
  const cut = new AbortController();
  const response = await fetch(`${bench.address}/v0/orgs/${organizationId}/${route.slice(2)}`, {
    method: request.body ? 'POST' : 'GET',
    ...(request.body && { body: JSON.stringify(request.body) }),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${accessToken}`,
      'last-event-id': String(request.after ?? 0),
    },
    signal: cut.signal,
  });
  let rest = '';
  try {
    for await (const chunk of response.body ?? []) {
      const parts = (rest + Buffer.from(chunk).toString()).split(/(?<=\n\n)/u);
      rest = parts.at(-1)?.endsWith('\n\n') === true ? '' : (parts.pop() ?? '');
      for (const { id, data } of framesOf(parts.join(''))) yield { id, event: data as TurnEvent };
    }
  } finally {
    cut.abort();
  }
  return undefined;
}

/** The user's decision at a pause. */
function decisionsOn({ status, turn_id, tool_calls, executed_rounds }: TurnAnswer) {
  const call_id = tool_calls.at(-1)!.id;
  if (status === 'awaiting_answers') {
    const [asked] = JSON.parse(tool_calls[0]!.arguments).questions;
    const answers: CallAnswers[] = [
      { call_id, answers: [{ question_id: asked.id, option_ids: [asked.options[1].id] }] },
    ];
    return { turn_id, approvals: [], answers };
  }
  return { turn_id, approvals: [{ call_id, approved: executed_rounds.length < 2, reason: 'Enough.' }] };
}

interface Told {
  frames: ReadFrame[];
  /** The state of a page that has read the events. */
  live: ChatState;
  turnId: string;
}

/** A whole turn whose connection is cut after a number of events, and which is followed from there. */
async function turnCutAfter(events: number): Promise<Told> {
  scriptTurn(`cut-${events}`);
  const frames: ReadFrame[] = [];
  let live = chatReducer(emptyChat, { type: 'message_sent', text });
  let turnId = '';
  let wasCut = false;
  let stream = open(chat, { body: { ...userMessage(text), stream: true } });
  for (;;) {
    const { value } = await stream.next();
    if (value === undefined) throw new Error('The stream ended before the turn did.');
    frames.push(value);
    live = chatReducer(live, { type: 'frames', frames: [value] });
    const { event } = value;
    if (event.type === 'turn_started') turnId = event.turn_id;
    if (event.type === 'done' && event.result.status === 'completed') break;
    if (frames.length === events) {
      await stream.return(undefined);
      stream = open(`${chat}/turns/${turnId}/events`, { after: value.id });
      wasCut = true;
    }
    if (event.type !== 'done') continue;
    const decisions = decisionsOn(event.result);
    live = chatReducer(live, { type: 'decided', decisions: decisions.approvals });
    // A follower continues across the pause, whoever decides.
    if (wasCut) void bench.admin.post(`${chat}/approve`, decisions);
    else stream = open(`${chat}/approve`, { body: { ...decisions, stream: true } });
  }
  await stream.return(undefined);
  return { frames, live, turnId };
}

async function replayed({ turnId }: Told, after: number): Promise<ReadFrame[]> {
  const frames: ReadFrame[] = [];
  for await (const frame of open(`${chat}/turns/${turnId}/events`, { after })) frames.push(frame);
  return frames;
}

/** The events, without the fields that differ between turns. */
const transcript = (frames: ReadFrame[]) =>
  frames.map(({ id, event }) => [
    id,
    event.type,
    'chunk' in event ? event.chunk : 'full_text' in event ? event.full_text : 'success' in event ? event.success : null,
  ]);

const shown = ({ threadId, entries, phase }: ChatState) => ({ threadId, entries, phase });

it('gives the same transcript and the same page, at whichever event its stream is cut and resumed', async () => {
  const uncut = await turnCutAfter(Infinity);
  expect(uncut.frames.map(({ id }) => id)).toEqual(uncut.frames.map((_, at) => at + 1));
  expect(uncut.frames.filter(({ event }) => event.type === 'done')).toHaveLength(4);
  const kinds = new Set(uncut.frames.map(({ event }) => event.type));
  expect(kinds.size).toBe(10);
  for (let events = 0; events < uncut.frames.length; events += 1) {
    const told = events === 0 ? uncut : await turnCutAfter(events);
    expect([events, transcript(told.frames)]).toEqual([events, transcript(uncut.frames)]);
    expect(await replayed(told, 0)).toEqual(told.frames);
    expect(await replayed(told, events)).toEqual(told.frames.slice(events));
    const { body: thread } = await bench.admin.get<Thread>(`${chat}/threads/${told.live.threadId}`);
    const stored = shown(threadToState(thread));
    expect([events, shown(told.live)]).toEqual([events, stored]);
    const sent = chatReducer(emptyChat, { type: 'message_sent', text });
    expect(shown(chatReducer(sent, { type: 'frames', frames: told.frames }))).toEqual(stored);
  }
}, 180_000);
