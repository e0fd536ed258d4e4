import type { ApproveBody, CallAnswers, CallDecision, Tag, Thread } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTurnFrames, type TurnFrame } from '../../../apps/web/src/shared/http/turn-stream.ts';
import { chatReducer } from '../../../apps/web/src/features/chat/turn/chat-reducer.ts';
import { emptyChat, pendingCards, type ChatState } from '../../../apps/web/src/agent-ui/chat-state.ts';
import { threadToState } from '../../../apps/web/src/features/chat/turn/thread-to-state.ts';
import { startPacedModel, type PacedAnswer, type PacedModel } from '../browser/paced-model.ts';
import { startProduct, type Product } from '../../product/product.ts';

const tag = (name: string) => ({ name: 'create_tag', arguments: { name } });
const reading = { name: 'list_tags', arguments: {} };
const asking = {
  name: 'ask_questions',
  arguments: { questions: [{ header: 'Date', question_text: 'Which?', options: [{ label: 'Due' }] }] },
};
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `);
/** The slow answer has its second half when this is resolved. */
const half = Promise.withResolvers<void>();

/** The model's answer, by the message and the number of answers to it so far. */
function answerTo(message: string, round: number): PacedAnswer {
  const end = { pieces: ['That ', 'is ', 'done.'] };
  if (message.includes('for ever')) return { calls: [reading] };
  if (message.includes('slowly')) return { pieces: words(80), everyMs: 40, hold: { from: 40, until: half.promise } };
  if (round > 0) return end;
  if (message.includes('look around'))
    return { thoughts: ['Let ', 'me ', 'see.'], pieces: ['I look.'], calls: [reading, reading] };
  if (message.includes('several'))
    return { pieces: ['Three of them.'], calls: [reading, tag('first'), tag('second'), tag('third')] };
  if (message.includes('question')) return { calls: [asking] };
  if (message.includes('rename'))
    return { calls: [{ name: 'update_document', arguments: { document_name: 'mine.txt' } }] };
  const name = /tag (\w+)/u.exec(message)?.[1];
  return name === undefined ? end : { calls: [tag(name)] };
}

let model: PacedModel;
let product: Product;
let place: string;
const headers: Record<string, string> = { 'content-type': 'application/json' };

beforeAll(async () => {
  model = await startPacedModel(answerTo);
  const settings = { LLM_BASE_URL: model.url, LLM_MODEL: 'paced', LLM_API_KEY: 'none', AGENT_MAX_ROUNDS: '3' };
  product = await startProduct(settings);
  const person = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' };
  const { access_token, organization } = await call<{ access_token: string; organization: { id: string } }>(
    'POST',
    '/v0/auth/register',
    person,
  );
  headers['authorization'] = `Bearer ${access_token}`;
  place = `/v0/orgs/${organization.id}`;
});
afterAll(async () => {
  await product.stop();
  model.stop();
});

async function request(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(product.url + path, { method, headers, ...sent, ...(signal && { signal }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer: Answer = JSON.parse(await (await request(method, path, body)).text());
  return answer;
}

type Decide = (card: { id: string; name: string; arguments: string }, index: number) => Omit<CallDecision, 'call_id'>;

/** A conversation without a browser: user actions and server events go through the page's reducer. */
async function openChat() {
  const content = Buffer.from('Total: 5').toString('base64');
  const { documents } = await call<{ documents: [{ id: string }] }>('POST', `${place}/documents`, {
    documents: [{ name: 'note.txt', content }],
  });
  const document = `${place}/documents/${documents[0].id}`;
  const chat = `${document}/chat`;
  let state: ChatState = emptyChat;
  const take = (frame: TurnFrame) => {
    state = chatReducer(state, { type: 'frames', frames: [frame] });
  };
  /** Reads the response to its end, or to the awaited event. */
  async function read(response: Response, until: (frame: TurnFrame) => boolean = () => false): Promise<void> {
    for await (const frame of readTurnFrames(response)) {
      take(frame);
      if (until(frame)) return;
    }
  }
  const decide = async (approvals: CallDecision[], answers: CallAnswers[] = []) => {
    state = chatReducer(state, { type: 'decided', decisions: approvals });
    const body: ApproveBody = { turn_id: state.turnId ?? '', approvals, answers, stream: true };
    await read(await request('POST', `${chat}/approve`, body));
  };
  const thread = () => call<Thread>('GET', `${chat}/threads/${state.threadId}`);
  return {
    document,
    state: () => state,
    thread,
    take,
    read,
    decide,
    async say(text: string, until?: (frame: TurnFrame) => boolean) {
      state = chatReducer(state, { type: 'message_sent', text });
      const known = state.threadId === undefined ? {} : { thread_id: state.threadId };
      const body = { messages: [{ role: 'user', content: text }], ...known, stream: true };
      await read(await request('POST', chat, body), until);
    },
    decideBy: (how: Decide) =>
      decide(pendingCards(state).map((card, index) => ({ call_id: card.id, ...how(card, index) }))),
    stop: () => request('POST', `${chat}/turns/${state.turnId}/stop`, {}),
    undo: () => call('POST', `${chat}/turns/${state.turnId}/undo`, {}),
    events: async (after = 0) =>
      await fetch(`${product.url}${chat}/turns/${state.turnId}/events`, {
        headers: { ...headers, 'last-event-id': String(after) },
      }),
  };
}

type OpenChat = Awaited<ReturnType<typeof openChat>>;

/** The visible state. */
const shown = ({ threadId, turnId, model: name, entries, phase, notice, usage, context, thinking }: ChatState) => ({
  threadId,
  turnId,
  model: name,
  entries,
  phase,
  notice,
  usage,
  context,
  thinking,
});

/** The live stream, a reload, and a replay of the newest turn onto either of them show the same state. */
async function expectOneState(chat: OpenChat): Promise<void> {
  const live = shown(chat.state());
  const thread = await chat.thread();
  const reloaded = threadToState(thread);
  expect(shown(reloaded)).toEqual(live);
  const frames: TurnFrame[] = [];
  const waits = chat.state().phase !== 'idle';
  for await (const frame of readTurnFrames(await chat.events())) {
    frames.push(frame);
    // A follower stays connected while a turn is pending.
    if (waits && frame.id >= chat.state().lastEventId) break;
  }
  expect(frames.at(-1)?.id).toBe(chat.state().lastEventId);
  const asked = reloaded.entries.findLastIndex(({ kind }) => kind === 'user');
  const asSent = { ...emptyChat, entries: reloaded.entries.slice(0, asked + 1), phase: 'running' as const };
  for (const before of [asSent, chat.state(), reloaded]) {
    expect(shown(chatReducer(before, { type: 'frames', frames }))).toEqual(live);
  }
}

const cardStates = (chat: OpenChat) =>
  chat.state().entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards.map(({ state }) => state) : []));
const approve = () => ({ approved: true });

it('thinking, text and read-only calls', async () => {
  const chat = await openChat();
  await chat.say('look around');
  expect(chat.state().entries[1]).toMatchObject({ thinking: 'Let me see.', text: 'I look.' });
  expect(cardStates(chat)).toEqual(['done', 'done']);
  await expectOneState(chat);
});

it('a batch: one approved, one edited, one rejected with a reason', async () => {
  const chat = await openChat();
  await chat.say('make several');
  expect(cardStates(chat)).toEqual(['done', 'waiting', 'waiting', 'waiting']);
  await expectOneState(chat);
  await chat.decideBy((_, index) => {
    if (index === 1) return { approved: true, arguments: '{"name":"edited"}' };
    return index === 2 ? { approved: false, reason: 'Not that one' } : approve();
  });
  expect(cardStates(chat)).toEqual(['done', 'done', 'done', 'rejected']);
  await expectOneState(chat);
  const { tags } = await call<{ tags: Tag[] }>('GET', `${place}/tags`);
  expect(tags.map(({ name }) => name).toSorted()).toEqual(['edited', 'first']);
});

it('questions of the agent, answered', async () => {
  const chat = await openChat();
  await chat.say('any question?');
  expect(chat.state().phase).toBe('awaiting_answers');
  await expectOneState(chat);
  const [card] = pendingCards(chat.state());
  const { questions } = JSON.parse(card?.arguments ?? '{}');
  await chat.decide(
    [],
    [
      {
        call_id: card?.id ?? '',
        answers: [{ question_id: questions[0].id ?? 'q1', option_ids: [], other: 'Neither' }],
      },
    ],
  );
  expect(cardStates(chat)).toEqual(['done']);
  await expectOneState(chat);
});

it('a call that is stale when it is approved', async () => {
  const chat = await openChat();
  await chat.say('rename it');
  await call('PATCH', chat.document, { document_name: 'theirs.txt' });
  await chat.decideBy(approve);
  expect(cardStates(chat)).toEqual(['stale']);
  await expectOneState(chat);
});

it('stopped in the middle of its text', async () => {
  const chat = await openChat();
  let stopping: Promise<unknown> | undefined;
  await chat.say('tell me slowly', ({ event }) => {
    if (event.type === 'assistant_text_chunk') stopping ??= chat.stop();
    return false;
  });
  await stopping;
  expect(chat.state().notice).toMatchObject({ status: 'stopped' });
  await expectOneState(chat);
});

it('superseded by a newer message while it was pending', async () => {
  const chat = await openChat();
  await chat.say('make the tag never');
  await chat.say('Hello instead');
  expect(cardStates(chat)).toEqual(['rejected']);
  await expectOneState(chat);
});

it('at the maximum number of rounds', async () => {
  const chat = await openChat();
  await chat.say('go on for ever');
  expect(chat.state().notice).toMatchObject({ status: 'max_rounds' });
  await expectOneState(chat);
});

it('undone after its end', async () => {
  const chat = await openChat();
  await chat.say('make the tag gone');
  await chat.decideBy(approve);
  await chat.undo();
  await expectOneState(chat);
});

it('resumed after its process was killed, at a pause and in the middle of its text', async () => {
  const chat = await openChat();
  await chat.say('make the tag kept');
  await product.restart('SIGKILL');
  await expectOneState(chat);
  await chat.decideBy(approve);
  await expectOneState(chat);

  // A busy server sends several words in one event.
  const isWord9 = ({ event }: TurnFrame) => event.type === 'assistant_text_chunk' && event.chunk.includes('word9 ');
  await chat.say('tell me slowly', isWord9);
  await product.restart('SIGKILL');
  half.resolve();
  const resumed: boolean[] = [];
  await chat.read(await chat.events(chat.state().lastEventId), ({ event }) => {
    if (event.type === 'turn_started') resumed.push(event.resumed === true);
    return false;
  });
  expect(resumed).toEqual([true]);
  expect(chat.state().entries.at(-1)).toMatchObject({ text: words(80).join('') });
  await expectOneState(chat);
});

it('failed, because the model could not be reached', async () => {
  const chat = await openChat();
  await chat.say('Hello');
  model.stop();
  await chat.say('Are you there?');
  expect(chat.state().notice).toMatchObject({ status: 'failed' });
  await expectOneState(chat);
});
