import { setTimeout as sleep } from 'node:timers/promises';
import type { Tag, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  decideAll,
  framesOf,
  userMessage,
  startChatTestBench,
  type ChatTestBench,
  type Frame,
} from '../../../testing/chat-test-bench.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterAll(async () => bench.stop());

interface RequestToRead {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Reads an SSE stream over the network, and disconnects after `events` events. */
async function read(route: string, init: RequestToRead, events = Infinity): Promise<Frame[]> {
  const { accessToken, organizationId } = bench.admin;
  const url = `${bench.address}/v0/orgs/${organizationId}/${route.slice(2)}`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}`, ...init.headers };
  const response = await fetch(url, { ...init, headers });
  let text = '';
  const frames = () => framesOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (frames().length >= events) break;
  }
  return frames().slice(0, events);
}

const post = (body: object): RequestToRead => ({ method: 'POST', body: JSON.stringify(body) });

it('runs a call once that a hundred requests to two processes decide at the same time', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ calls: [{ name: 'create_tag', args: { name: 'hundred' } }] }, { text: 'Done.' });
  const waiting = (await bench.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  const other = bench.anotherProcess({ text: 'Done.' });
  const body = { ...decideAll(waiting, true), stream: false };
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      if (at % 2 === 0) return (await bench.admin.post<TurnAnswer>(`${chat}/approve`, body)).body;
      return (await other.approvals.approve(bench.admin.actor, id, body)).answer;
    }),
  );
  await other.stop();
  expect(answers[0]).toMatchObject({ status: 'completed', text: 'Done.' });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const { tags } = (await bench.admin.get<{ tags: Tag[] }>('./tags?name_search=hundred')).body;
  expect(tags).toHaveLength(1);
});

it('stops a turn that runs in another process', async () => {
  const { id, chat } = await bench.documentOf(bench.admin);
  bench.script({ text: 'Never said to its end.' });
  const release = bench.pauseModel();
  const [started] = await read(chat, post({ ...userMessage('Go on'), stream: true }), 1);
  const turnId = String(started!.data['turn_id']);
  const other = bench.anotherProcess();
  const stopping = other.turns.stop(bench.admin.actor, id, turnId);
  await sleep(1_500);
  release();
  expect(await stopping).toMatchObject({ status: 'stopped' });
  await other.stop();
});

it('continues the turn of a process that stops, which nobody sees as stopped', async () => {
  const stopping = await startChatTestBench();
  const { id, chat } = await stopping.documentOf(stopping.admin);
  const { actor } = stopping.admin;
  stopping.script({ calls: [{ name: 'create_tag', args: { name: 'handed over' } }] }, { text: 'Never said.' });
  const waiting = (await stopping.admin.post<TurnAnswer>(chat, userMessage('Tag it'))).body;
  const release = stopping.pauseModel();
  const left = stopping.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(waiting, true));
  const { tags } = stopping.services;
  const made = async () => (await tags(actor).list({ skip: 0, limit: 10 })).tags.map(({ name }) => name);
  await expect.poll(made).toEqual(['handed over']);
  const stopped = stopping.services.chat.stop();
  release();
  await stopped;
  expect((await left).error?.code).toBe('not_ready');

  const other = stopping.anotherProcess({ text: 'It is there.' });
  const turn = () => other.turns.state(actor, id, waiting.turn_id);
  await expect.poll(async () => (await turn()).status, { timeout: 10_000 }).toBe('completed');
  expect(await turn()).toMatchObject({ text: 'It is there.', executed_rounds: [{ round_index: 0 }] });
  expect(await made()).toEqual(['handed over']);
  await other.stop();
  await stopping.stop();
});
