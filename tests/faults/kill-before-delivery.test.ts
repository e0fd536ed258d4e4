import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedWebhook, EventFeed, OrganizationEvent } from '@docwright/contract';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { MongoClient } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { startServer } from './killable-server.ts';
import { registerClient } from './server-client.ts';

/** By default a few kills; `KILLS=100` is the large form. */
const kills = Number(process.env['KILLS'] ?? 2);
const documentsEach = 4;

const stop: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const each of stop.toReversed()) await each();
});

interface Received {
  id: string;
  body: string;
  headers: Record<string, string>;
}

it(
  `no event is lost and each duplicate has its one id, killed ${kills} times between write and delivery`,
  async () => {
    const received: Received[] = [];
    const receiver = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      const answer = async () => {
        const headers = request.headers as Record<string, string>;
        received.push({ id: headers['webhook-id']!, body: Buffer.concat(pieces).toString(), headers });
        // Some answers come after the kill: the sender cannot know that the event has arrived.
        await sleep(Math.random() * 60);
        response.writeHead(204).end();
      };
      request.on('end', () => void answer());
    });
    await new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done));
    stop.push(async () => receiver.closeAllConnections());
    stop.push(() => new Promise((done) => void receiver.close(done)));

    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docwright-kill-event-'));
    stop.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
    const mongo = await startEmbeddedMongo({ dataDir });
    stop.push(() => mongo.stop());
    const connection = await MongoClient.connect(mongo.uri);
    stop.push(() => connection.close());
    const database = connection.db('docwright');
    const startOnce = () =>
      startServer({
        DATA_DIR: dataDir,
        MONGODB_URI: mongo.uri,
        APP_SECRET: 'a secret for this test alone',
        ALLOW_SIGNUP: 'true',
        LLM_ALLOWED_HOSTS: '127.0.0.1',
      });
    // On a very busy machine, a start can time out on its database.
    const start = () => startOnce().catch(startOnce).catch(startOnce);
    let server = await start();
    stop.push(() => server.kill());
    const client = await registerClient(server, 'one');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const { secret } = await client.post<CreatedWebhook>(server, `${client.organization}/webhooks`, { url });

    let made = 0;
    const upload = async () => {
      const documents = Array.from({ length: documentsEach }, () => {
        made += 1;
        return { name: `${made}.txt`, content: Buffer.from(`Letter ${made}`).toString('base64') };
      });
      await client.post(server, `${client.organization}/documents`, { documents });
    };
    for (let kill = 0; kill < kills; kill += 1) {
      // It dies during the upload, while texts are read, between a record and the log, or while it delivers.
      const writing = upload().catch(() => undefined);
      if (kill % 2 === 1) await writing;
      await sleep(Math.random() * 1_200);
      await server.kill();
      await writing;
      // Leases of the dead process end sooner than by themselves.
      await database.collection('webhooks').updateMany({ lease: { $exists: true } }, { $unset: { lease: 1 } });
      await database.collection('documents').updateMany({ lease: { $exists: true } }, { $unset: { lease: 1 } });
      server = await start();
      if (kill % 10 === 9) console.log(`${kill + 1} kills, ${received.length} requests`);
    }
    // On a very busy machine, a database can be away for a moment.
    await upload().catch(() => sleep(5_000).then(upload));

    const ids = (
      await database
        .collection('documents')
        .find({}, { projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => String(_id));
    const events: OrganizationEvent[] = [];
    const readFeed = async () => {
      for (;;) {
        const after = events.at(-1)?.seq ?? 0;
        const path = `${client.organization}/events?limit=1000&after=${after}`;
        const feed = await client.get<EventFeed>(server, path);
        events.push(...feed.events);
        if (feed.events.length === 0) return;
      }
    };
    const missing = () => {
      const of = (type: string) =>
        new Set(events.filter((event) => event.type === type).map(({ data }) => data['document_id'] as string));
      // A document whose reader died several times is given up: that is an event too.
      const [created, ready, failed] = [of('document.created'), of('document.ready'), of('document.failed')];
      return ids.filter((id) => !created.has(id) || !(ready.has(id) || failed.has(id)));
    };
    const inDatabase = async (collection: string) =>
      JSON.stringify(await database.collection(collection).find().toArray());
    await until(
      async () => {
        await readFeed();
        return missing().length === 0;
      },
      async () => `No events of ${missing().join(', ')}: ${await inDatabase('documents')}`,
    );
    await until(
      async () => {
        await readFeed();
        const arrived = new Set(received.map(({ id }) => id));
        // The client's first document is older than the webhook: its event may be, too.
        return events.every(({ id, data }) => arrived.has(id) || data['document_name'] === 'note.txt');
      },
      async () => `${received.length} requests for ${events.length} events: ${await inDatabase('webhook_deliveries')}`,
    );

    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    const known = new Map(events.map((event) => [event.id, event]));
    expect(known.size).toBe(events.length);
    const count = (...types: string[]) => events.filter(({ type }) => types.includes(type)).length;
    expect([count('document.created'), count('document.ready', 'document.failed')]).toEqual([ids.length, ids.length]);
    for (const { id, body, headers } of received) {
      const event = known.get(id);
      expect(JSON.parse(body)).toMatchObject({ id, seq: event?.seq, type: event?.type });
      // A signature is about its own time; the library refuses one older than five minutes.
      if (Date.now() / 1_000 - Number(headers['webhook-timestamp']) < 240) new Webhook(secret).verify(body, headers);
    }
    const duplicates = received.length - new Set(received.map(({ id }) => id)).size;
    console.log(
      `${kills} kills, ${ids.length} documents, ${events.length} events, ${received.length} requests, ${duplicates} of them duplicates`,
    );
  },
  // A start alone can take a quarter of a minute beside other tests.
  150_000 + kills * 30_000,
);

/** The leases of killed processes, and the pauses between deliveries, are shorter. */
const longestWaitMs = 90_000;

/** Fails with what is the matter, which a test that is stopped does not say. */
async function until(isDone: () => Promise<boolean>, problem: () => Promise<string>): Promise<void> {
  const end = Date.now() + longestWaitMs;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error(await problem());
    await sleep(200);
  }
}
