import { BSON } from 'bson';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestDatabase, WireClient, type TestDatabase } from '../testing/index.ts';

// A busy machine can be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.stop());

const body = (command: object): Buffer => Buffer.from(BSON.serialize({ ...command, $db: 'test' }));

async function ask(command: object): Promise<unknown> {
  const client = await WireClient.connect(database.uri);
  const reply = await client.command({ ...command, $db: 'test' });
  await client.close();
  return reply;
}

const stillServes = async (): Promise<void> => expect(await ask({ ping: 1 })).toMatchObject({ ok: 1 });

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function frame(payload: Buffer, { length = 16 + payload.length, code = 2013 } = {}): Buffer {
  return Buffer.concat([int32(length), int32(1), int32(0), int32(code), payload]);
}

function nested(depth: number): Buffer {
  const perLevel = 8;
  const innermost = Buffer.from([5, 0, 0, 0, 0]);
  const bytes = Buffer.alloc(depth * perLevel + innermost.length);
  const opening = perLevel - 1;
  for (let level = 0; level < depth; level++) {
    bytes.writeInt32LE(bytes.length - level * perLevel, level * opening);
    bytes.set([3, 0x61, 0], level * opening + 4);
  }
  bytes.set(innermost, depth * opening);
  return bytes;
}

const ping = body({ ping: 1 });
const flags = Buffer.alloc(4);
const section = (...parts: Buffer[]): Buffer => Buffer.concat([flags, ...parts]);

const malformed: [string, Buffer][] = [
  ['a negative message length', frame(section(Buffer.from([0]), ping), { length: -1 })],
  ['a message length of zero', frame(section(Buffer.from([0]), ping), { length: 0 })],
  ['a message length beyond the limit', frame(section(Buffer.from([0]), ping), { length: 2 ** 31 - 1 })],
  ['an unknown operation', frame(section(Buffer.from([0]), ping), { code: 4711 })],
  ['unknown required flags', frame(Buffer.concat([int32(0x10), Buffer.from([0]), ping]))],
  ['no section', frame(flags)],
  ['an unknown section', frame(section(Buffer.from([9]), ping))],
  ['two bodies', frame(section(Buffer.from([0]), ping, Buffer.from([0]), ping))],
  ['a body longer than the message', frame(section(Buffer.from([0]), int32(1000), ping.subarray(4)))],
  ['a body of negative length', frame(section(Buffer.from([0]), int32(-5), ping.subarray(4)))],
  ['a truncated body', frame(section(Buffer.from([0]), ping.subarray(0, 7)))],
  [
    'a sequence of negative length',
    frame(section(Buffer.from([0]), ping, Buffer.from([1]), int32(-9), Buffer.from('x\0'))),
  ],
  [
    'a sequence without a name',
    frame(section(Buffer.from([0]), ping, Buffer.from([1]), int32(8), Buffer.from('xxxx'))),
  ],
  ['nesting of 50,000 levels', frame(section(Buffer.from([0]), nested(50_000)))],
  ['no database', frame(section(Buffer.from([0]), Buffer.from(BSON.serialize({ ping: 1 }))))],
  ['a truncated OP_QUERY', frame(Buffer.alloc(9), { code: 2004 })],
];

test.each(malformed)('%s closes the connection, not the server', async (_, bytes) => {
  const client = await WireClient.connect(database.uri);
  client.socket.write(bytes);
  expect(await client.reply()).toBeUndefined();
  await stillServes();
});

test('valid messages with random changes never stop the server', async () => {
  const messages = [
    frame(section(Buffer.from([0]), body({ insert: 'fuzz', documents: [{ a: [1, 'x', { b: 1.5 }] }], ordered: true }))),
    frame(section(Buffer.from([0]), body({ find: 'fuzz', filter: { a: { $in: [1, 2] } }, sort: { a: 1 }, limit: 3 }))),
    frame(
      section(
        Buffer.from([0]),
        body({ update: 'fuzz', updates: [{ q: { a: 1 }, u: { $push: { a: { $each: [1] } } } }] }),
      ),
    ),
    frame(
      section(
        Buffer.from([0]),
        body({ aggregate: 'fuzz', pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }], cursor: {} }),
      ),
    ),
  ];
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(messages[round % messages.length]!);
    for (let change = 0; change <= round % 4; change++) {
      bytes[16 + Math.floor(Math.random() * (bytes.length - 16))] = Math.floor(Math.random() * 256);
    }
    const client = await WireClient.connect(database.uri);
    client.socket.write(bytes);
    client.socket.end();
    await client.reply();
    await client.close();
  }
  await stillServes();
});

test('a message that arrives byte by byte is answered', async () => {
  const client = await WireClient.connect(database.uri);
  const reply = client.reply();
  for (const byte of frame(section(Buffer.from([0]), ping))) client.socket.write(Buffer.from([byte]));
  expect(await reply).toMatchObject({ ok: 1 });
  await client.close();
});

test.each([
  ['an unknown command', { selfDestruct: 1 }, 59],
  ['a command that is not supported', { mapReduce: 'things' }, 115],
  ['an unknown option', { find: 'things', sortOf: 1 }, 40415],
  ['an option of the wrong type', { find: 'things', filter: 'x' }, 14],
  ['an unknown query operator', { find: 'things', filter: { a: { $close: 1 } } }, 2],
  ['an unknown top-level operator', { find: 'things', filter: { $almost: 1 } }, 2],
  ['another collation', { find: 'things', collation: { locale: 'de' } }, 2],
  ['a hint without an index', { count: 'made', query: { a: 1 }, hint: 'none' }, 2],
  ['an unknown stage', { aggregate: 'things', pipeline: [{ $teleport: 1 }], cursor: {} }, 40324],
  ['an unknown expression', { aggregate: 'things', pipeline: [{ $project: { a: { $guess: 1 } } }], cursor: {} }, 168],
  ['an unknown variable', { find: 'things', filter: { $expr: { $eq: ['$a', '$$b'] } } }, 17276],
  ['a path with a dollar sign', { aggregate: 'things', pipeline: [{ $project: { a: '$b.$c' } }], cursor: {} }, 16410],
  ['a transaction', { find: 'things', startTransaction: true, autocommit: false, txnNumber: 1 }, 20],
  ['a snapshot', { find: 'things', readConcern: { level: 'snapshot' } }, 123],
  ['a write to several servers', { insert: 'things', documents: [{}], writeConcern: { w: 2 } }, 2],
  ['change streams', { aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573],
  ['an unknown cursor', { getMore: 1n, collection: 'things' }, 43],
  ['an invalid collection name', { insert: 'a$b', documents: [{}] }, 73],
])('%s is rejected with MongoDB’s code', async (_, command, code) => {
  await ask({ insert: 'made', documents: [{ a: 1 }] });
  expect(await ask(command)).toMatchObject({ ok: 0, code });
});

test('an unknown update operator is rejected', async () => {
  const reply = await ask({ update: 'made', updates: [{ q: {}, u: { $tweak: { a: 1 } } }] });
  expect(reply).toMatchObject({ n: 0, writeErrors: [{ code: 9 }] });
});
