import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Prompt, Run } from '@docwright/contract';
import type mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userMessage, startChatTestBench, type ChatTestBench } from '../../apps/api/src/testing/chat-test-bench.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';

const checkEveryMs = 100;
let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench(
    {},
    {
      streamLimits: {
        streams: { user: 9, organization: 100 },
        downloads: { user: 3, organization: 100 },
        checkEveryMs,
      },
      downloadStallMs: 1_500,
    },
  );
});
afterAll(async () => bench.stop());

const addressOf = (client: TestClient, path: string) =>
  bench.address + path.replace(/^\.\//, `/v0/orgs/${client.organizationId}/`);
const signedIn = ({ accessToken }: TestClient) => ({ authorization: `Bearer ${accessToken}` });

/** Opens a stream and reads it in the background; `ended` resolves when the server ends it. */
async function follow(client: TestClient, path: string, init: RequestInit = {}) {
  const response = await fetch(addressOf(client, path), {
    ...init,
    headers: { ...signedIn(client), 'content-type': 'application/json', accept: 'text/event-stream' },
  });
  const ended = response.text().catch(() => 'cut');
  return { status: response.status, ended };
}
const endsSoon = async (ended: Promise<string>) =>
  Promise.race([ended.then(() => 'ended'), sleep(10_000, 'still open', { ref: false })]);

/** All streams: documents, answers of both agents, an extraction, a run, a bulk action, an evaluation, the inbox. */
async function everyStream(person: TestClient) {
  const { id, chat } = await bench.documentOf(person);
  await bench.services.documents.textReading.readAll(new AbortController().signal);
  const evaluation = await queuedEvaluation(person, id);
  const { body: source } = await person.post<{ id: string }>('/api/v2/sources', { name: 'All' });
  const conversations = '/api/v2/agent/conversations';
  const { body: conversation } = await person.post<{ id: string }>(conversations, { source_id: source.id });
  // No worker runs, so they do not end by themselves.
  const { body: run } = await person.post<Run>('./runs', { document_ids: [id], message: 'Look' });
  const message = { action: 'message', document_ids: [id], message: 'Look' };
  const { body: bulk } = await person.post<{ id: string }>('./documents/bulk', message);
  const { body: prompt } = await person.post<Prompt>('./prompts', { name: 'held', content: 'Take the total.' });
  const release = bench.pauseModel();
  bench.script({ text: '{}' }, { text: 'One.' });
  const extractions = `./documents/${id}/extractions`;
  // The model answers after the streams have ended.
  void person.post(extractions, { prompt_revid: prompt.prompt_revid });
  const asking = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
  const streams = {
    document: await follow(person, `./documents/${id}/events`),
    documents: await follow(person, './documents/events'),
    extraction: await follow(person, `${extractions}/${prompt.prompt_revid}/events`),
    inbox: await follow(person, './approvals/events'),
    run: await follow(person, `./runs/${run.id}/events`),
    bulk: await follow(person, `./documents/bulk/${bulk.id}/events`),
    evaluation: await follow(person, `./evaluations/${evaluation}/events`),
    turn: await follow(person, chat, asking({ ...userMessage('Hi'), stream: true })),
    pipeline: await follow(person, `${conversations}/${conversation.id}/messages`, asking({ message: 'Hi' })),
  };
  return { streams, release };
}

async function queuedEvaluation(person: TestClient, document: string): Promise<string> {
  const content = `Take the total. ${crypto.randomUUID()}`;
  const { body: prompt } = await person.post<Prompt>('./prompts', { name: crypto.randomUUID(), content });
  bench.script({ text: '{"total":"5"}' });
  const extractions = `./documents/${document}/extractions`;
  await person.post(extractions, { prompt_revid: prompt.prompt_revid });
  await person.put(`${extractions}/${prompt.prompt_revid}/verification`, { is_verified: true });
  const made = await person.post<{ id: string }>('./evaluations', { prompt_id: prompt.prompt_id });
  expect(made.status).toBe(201);
  return made.body.id;
}

describe('streams', () => {
  it.each([
    ['sign-out', (person: TestClient) => person.post('/v0/auth/logout')],
    ['removal', (person: TestClient) => bench.admin.delete(`./members/${person.userId}`)],
  ])('of every kind end soon after %s', async (_what, end) => {
    const person = await bench.addUser('member');
    const { streams, release } = await everyStream(person);
    try {
      expect(new Set(Object.values(streams).map(({ status }) => status))).toEqual(new Set([200]));
      expect((await end(person)).status).toBe(204);
      for (const [name, { ended }] of Object.entries(streams)) {
        expect([name, await endsSoon(ended)]).toEqual([name, 'ended']);
      }
    } finally {
      release();
    }
  });

  it('of an access token end with the token', async () => {
    const { id } = await bench.documentOf(bench.admin);
    const token = await bench.admin.post<{ id: string; token: string }>('./access_tokens', {
      name: 'robot',
      lifetime_days: 1,
    });
    const robot = { ...bench.admin, accessToken: token.body.token };
    const stream = await follow(robot, `./documents/${id}/events`);
    await sleep(3 * checkEveryMs);
    expect(await Promise.race([stream.ended, sleep(1, 'open')])).toBe('open');
    await bench.admin.delete(`./access_tokens/${token.body.id}`);
    expect(await endsSoon(stream.ended)).toBe('ended');
  });

  it('of every kind share one limit for each user, and free their places when they end', async () => {
    const person = await bench.addOrganization();
    const { id } = await bench.documentOf(person);
    const client = new AbortController();
    const open = await Promise.all(
      Array.from({ length: 9 }, () => follow(person, `./documents/${id}/events`, { signal: client.signal })),
    );
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await follow(person, `./documents/${id}/events`)).status).toBe(429);
    const { body: run } = await person.post<Run>('./runs', { document_ids: [id], message: 'Look' });
    expect((await follow(person, `./runs/${run.id}/events`)).status).toBe(429);
    client.abort();
    await Promise.all(open.map(({ ended }) => ended));
    await expect.poll(async () => (await probe(person, `./documents/${id}/events`)).status).toBe(200);
  });
  it('keep no place for clients that left before the answer began', async () => {
    const person = await bench.addOrganization();
    const { id } = await bench.documentOf(person);
    for (const path of [`./documents/${id}/events`, './documents/events', './approvals/events']) {
      await Promise.all(Array.from({ length: 40 }, (_, at) => askAndLeave(person, path, at % 8)));
    }
    const all = async () =>
      Promise.all(Array.from({ length: 9 }, async () => (await probe(person, './documents/events')).status));
    await expect.poll(all).toEqual(Array.from({ length: 9 }, () => 200));
  });
});

/** Leaves some milliseconds after the request was sent, whether or not an answer has begun. */
async function askAndLeave(person: TestClient, path: string, afterMs: number): Promise<void> {
  const { port, hostname, pathname } = new URL(addressOf(person, path));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.accessToken}\r\n\r\n`);
  await sleep(afterMs);
  socket.destroy();
}

async function probe(person: TestClient, path: string) {
  const client = new AbortController();
  const { status } = await follow(person, path, { signal: client.signal });
  client.abort();
  return { status };
}

describe('downloads that nobody reads', () => {
  /** Larger than the socket buffers. */
  const size = 24 * 1024 * 1024;

  async function largeDocument(person: TestClient): Promise<string> {
    const form = new FormData();
    form.append('files', new Blob(['Total: 5\n'.repeat(size / 9)]), 'large.txt');
    const answer = await fetch(addressOf(person, './documents'), {
      method: 'POST',
      headers: signedIn(person),
      body: form,
    });
    const { documents } = (await answer.json()) as { documents: Document[] };
    return documents[0]!.id;
  }

  async function askWithoutReading(person: TestClient, id: string): Promise<Socket> {
    const { port, hostname } = new URL(bench.address);
    const socket = connect(Number(port), hostname);
    const { pathname } = new URL(addressOf(person, `./documents/${id}/file`));
    socket.on('error', () => undefined);
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.accessToken}\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  it('read no more from the database than they send, are limited for each user, and end', async () => {
    const person = await bench.addOrganization();
    const id = await largeDocument(person);
    const asked: number[] = [];
    const count = ({ command, commandName }: mongoose.mongo.CommandStartedEvent) => {
      if (commandName === 'find' && command['find'] === 'files.chunks') asked.push(1);
    };
    const client = bench.connection.getClient();
    client.on('commandStarted', count);
    const sockets = await Promise.all([1, 2, 3].map(() => askWithoutReading(person, id)));
    const another = await fetch(addressOf(person, `./documents/${id}/file`), { headers: signedIn(person) });
    expect(another.status).toBe(429);
    await sleep(300);
    // Each command reads one megabyte: all three together read far less than the file.
    expect(asked.length).toBeLessThan(3 * 20);
    client.off('commandStarted', count);

    // The downloads had no reader for longer than the limit, so their slots are free again.
    const after = async () => {
      const answer = await fetch(addressOf(person, `./documents/${id}/file`), { headers: signedIn(person) });
      return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
    };
    const whole = { status: 200, bytes: Math.floor(size / 9) * 9 };
    // On a busy machine a download can stall by itself.
    const tried = async () => after().catch(() => undefined);
    await expect.poll(tried, { interval: 250 }).toEqual(whole);
    for (const socket of sockets) socket.destroy();
  });
});

it('an answer is stored by no browser or proxy', async () => {
  for (const path of ['./documents', '/v0/me', './documents/000000000000000000000000']) {
    expect((await bench.admin.get(path)).headers['cache-control']).toBe('private, no-store');
  }
});

describe('a file', () => {
  it('is requested again each time, and is not readable after sign-out', async () => {
    const person = await bench.addUser('member');
    const { id } = await bench.documentOf(person);
    const path = addressOf(person, `./documents/${id}/file`);
    const first = await fetch(path, { headers: signedIn(person) });
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag') ?? '';
    const again = { ...signedIn(person), 'if-none-match': etag };
    expect((await fetch(path, { headers: again })).status).toBe(304);
    const out = await person.post('/v0/auth/logout');
    expect(out.headers['clear-site-data']).toBe('"cache"');
    expect((await fetch(path, { headers: again })).status).toBe(401);
  });

  it('is sent in ranges with exactly its bytes, across the boundaries of stored chunks', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => 97 + (at % 26)));
    const form = new FormData();
    form.append('files', new Blob([bytes]), 'letters.txt');
    const uploaded = await fetch(addressOf(bench.admin, './documents'), {
      method: 'POST',
      headers: signedIn(bench.admin),
      body: form,
    });
    const { documents } = (await uploaded.json()) as { documents: Document[] };
    const path = addressOf(bench.admin, `./documents/${documents[0]!.id}/file`);
    for (const [start, end] of [
      [0, 0],
      [255 * 1024 - 1, 255 * 1024],
      [200_000, 699_999],
      [699_999, 699_999],
    ] as const) {
      const answer = await fetch(path, { headers: { ...signedIn(bench.admin), range: `bytes=${start}-${end}` } });
      expect(answer.status).toBe(206);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });
});
