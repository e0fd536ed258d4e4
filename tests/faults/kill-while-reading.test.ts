import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Thread, TurnAnswer, TurnEvent } from '@docwright/contract';
import { startEmbeddedMongo, type EmbeddedMongo } from '@docwright/embedded-mongo';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatReducer } from '../../apps/web/src/features/chat/turn/chat-reducer.ts';
import { emptyChat, type ChatState } from '../../apps/web/src/agent-ui/chat-state.ts';
import { threadToState } from '../../apps/web/src/features/chat/turn/thread-to-state.ts';
import { startServer, type KillableServer } from './killable-server.ts';
import { startModelServer, type ModelServer } from './scripted-model-server.ts';
import { registerClient, type ServerClient } from './server-client.ts';

let dataDir: string;
let database: EmbeddedMongo;
let model: ModelServer;
let server: KillableServer;
let client: ServerClient;
const start = () =>
  startServer({
    DATA_DIR: dataDir,
    MONGODB_URI: database.uri,
    APP_SECRET: 'a secret for this test alone',
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
  });

beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-read-'));
  model = await startModelServer(script);
  database = await startEmbeddedMongo({ dataDir });
  server = await start();
  client = await registerClient(server, 'reader');
}, 60_000);
afterAll(async () => {
  await server.kill();
  await database.stop();
  model.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** The prompt needs no approval; the tag does. */
function script(name: string, round: number) {
  const tag = { name: 'create_tag', args: { name: `${name}-tag` } };
  const steps = [
    { text: 'I look at the tags before I write.', calls: [{ name: 'list_tags', args: {} }] },
    {
      text: 'A prompt first.',
      calls: [{ name: 'create_prompt', args: { name: `${name}-prompt`, content: 'Total?' } }],
    },
    { text: 'Now the tag, if I may.', calls: [tag] },
    { text: 'I look once more at what is there now.', calls: [{ name: 'list_tags', args: {} }] },
  ];
  return steps[round] ?? { text: 'Everything is there that was to be there, prompt and tag.' };
}

type Frame = { id: number; event: TurnEvent };

/** Reads to the next pause, the end, or the end of the connection. */
async function read(turn: () => Promise<Response>, frames: Frame[], throughPauses = false): Promise<void> {
  const response = await turn();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const match = /^id: (\d+)\nevent: \w+\ndata: (.+)$/u.exec(part);
        if (!match) continue;
        const event: TurnEvent = JSON.parse(match[2]!);
        frames.push({ id: Number(match[1]), event });
        if (event.type === 'done' && !throughPauses) return;
      }
    }
  } catch {
    // The server was killed.
  }
}

const shown = ({ threadId, entries, phase, turnId }: ChatState) => ({ threadId, entries, phase, turnId });
const shownAfter = (text: string, frames: Frame[]) => {
  const sent = chatReducer(emptyChat, { type: 'message_sent', text });
  const state = chatReducer(sent, { type: 'frames', frames });
  return { threadId: state.threadId, entries: state.entries, phase: state.phase };
};

/** Events of the last second may not be stored yet; earlier ones are. */
const moments = [
  { round: 0, moment: 'half', after: 150 },
  { round: 1, moment: 'begun', after: 0 },
  { round: 2, moment: 'half', after: 1_200 },
  { round: 3, moment: 'half', after: 150 },
  { round: 4, moment: 'begun', after: 0 },
  { round: 4, moment: 'half', after: 1_200 },
] as const;

it.each(moments)(
  'goes on with a turn that was killed in round $round ($moment, $after ms), and readers end where a replay ends',
  async ({ round, moment, after }) => {
    const name = `case-${round}-${moment}-${after}`;
    const text = `Do ${name}.`;
    let hasBeenKilled = false;
    const killed = Promise.withResolvers<void>();
    model.onAnswer = async (_, at, when) => {
      if (hasBeenKilled || at !== round || when !== moment) return;
      hasBeenKilled = true;
      await sleep(after);
      await server.kill();
      killed.resolve();
    };
    const frames: Frame[] = [];
    const body = { messages: [{ role: 'user', content: text }], auto_approved_tools: ['create_prompt'], stream: true };
    await read(() => client.ask(server, client.chat, body), frames);
    let turnId = '';
    const follow = async (from: Frame[], throughPauses = false) => {
      const headers = { 'last-event-id': String(from.at(-1)?.id ?? 0) };
      await read(
        () => client.ask(server, `${client.chat}/turns/${turnId}/events`, undefined, headers),
        from,
        throughPauses,
      );
    };
    const ended = () => {
      const { event } = frames.at(-1) ?? {};
      return event?.type === 'error' || (event?.type === 'done' && event.result.status === 'completed');
    };
    let isDecided = false;
    for (let looks = 0; !ended() && looks < 60; looks += 1) {
      const first = frames[0]?.event;
      if (first?.type === 'turn_started') turnId = first.turn_id;
      const last = frames.at(-1)?.event;
      if (last?.type === 'done' && last.result.status === 'awaiting_approval' && !isDecided) {
        isDecided = true;
        const approvals = last.result.tool_calls.map(({ id: call_id }) => ({ call_id, approved: true }));
        await read(
          () => client.ask(server, `${client.chat}/approve`, { turn_id: turnId, approvals, stream: true }),
          frames,
        );
      } else {
        await killed.promise;
        server = await start();
        await follow(frames);
      }
    }
    expect(hasBeenKilled).toBe(true);

    const replay: Frame[] = [];
    await follow(replay, true);
    const answer = await client.get<TurnAnswer>(server, `${client.chat}/turns/${turnId}`);
    expect(answer).toMatchObject({
      status: 'completed',
      executed_rounds: [0, 1, 2, 3].map((at) => ({ round_index: at })),
    });
    const thread = await client.get<Thread>(server, `${client.chat}/threads/${answer.thread_id}`);
    const { turnId: _, ...stored } = shown(threadToState(thread));
    expect(shownAfter(text, replay)).toEqual(stored);
    expect(shownAfter(text, frames)).toEqual(stored);
    for (const told of [frames, replay]) {
      const ids = told.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    }
    // An id always means the same event.
    const replayed = new Map(replay.map(({ id, event }) => [id, event]));
    for (const { id, event } of frames) if (replayed.has(id)) expect([id, event]).toEqual([id, replayed.get(id)]);
    const count = async (things: string) =>
      (await client.get<{ total_count: number }>(server, `${client.organization}/${things}?name_search=${name}-`))
        .total_count;
    expect([await count('prompts'), await count('tags')]).toEqual([1, 1]);
  },
  60_000,
);
