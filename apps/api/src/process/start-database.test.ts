import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '../platform/database/connection.ts';
import { createReadiness } from '../platform/http/readiness.ts';
import { readSettings } from '../platform/settings/settings.ts';
import { newTestDatabase } from '../testing/test-database.ts';
import { requireDatabaseFeatures } from './database-features.ts';
import { startDatabase } from './start-database.ts';
import { StartError } from './start-error.ts';

const { BSON, MongoServerError } = mongoose.mongo;

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server of the protocol that answers each command with the test's answer. */
async function serverThatAnswers(answer: (command: Record<string, unknown>) => object): Promise<string> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 16 && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        const isQuery = message.readInt32LE(12) === 2004;
        // Before a query: flags, collection name and two numbers. Before a message: flags and a kind.
        const start = isQuery ? message.indexOf(0, 20) + 9 : 21;
        const body = BSON.serialize(
          answer(BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)))),
        );
        const head = Buffer.alloc(isQuery ? 36 : 21);
        head.writeInt32LE(head.length + body.length, 0);
        head.writeInt32LE(message.readInt32LE(4), 8);
        head.writeInt32LE(isQuery ? 1 : 2013, 12);
        if (isQuery) head.writeInt32LE(1, 32);
        socket.write(Buffer.concat([head, body]));
      }
    });
  });
  return `mongodb://127.0.0.1:${await portOf(server)}/docwright`;
}

const hello = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  maxWireVersion: 21,
  minWireVersion: 0,
  maxMessageSizeBytes: 48_000_000,
};
const isHello = (command: Record<string, unknown>) =>
  'hello' in command || 'ismaster' in command || 'isMaster' in command;

function withOption(uri: string, name: string, value: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${name}=${value}`;
}

/** The error line of a start with this address. A server that answers has more time, since the machine can be busy. */
async function lineOf(uri: string, milliseconds = 500): Promise<string> {
  // Options of the address count, so the test does not wait ten seconds.
  const hasty = ['serverSelectionTimeoutMS', 'connectTimeoutMS'].reduce(
    (address, option) => withOption(address, option, String(milliseconds)),
    uri,
  );
  const settings = readSettings({ MONGODB_URI: hasty, APP_SECRET: 'a secret of thirty-two characters' });
  const started = startDatabase(settings, pino({ level: 'silent' }), createReadiness([]), () => undefined);
  const error: unknown = await started.then(
    async (database) => await database.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).toMatch(/^[^\n]{20,600}$/u);
  expect(message).not.toMatch(/:\d+:\d+\)?|node_modules|s3cret/u);
  return message;
}

describe('an unusable MONGODB_URI fails the start with the reason in one line', () => {
  test.each([
    ['a server without a replica set', hello],
    [
      'a server of another replica set',
      { ...hello, setName: 'rs0', hosts: ['127.0.0.1:1'], me: '127.0.0.1:1', secondary: false },
    ],
  ])('a replica set, on %s', async (_what, answer) => {
    const uri = await serverThatAnswers(() => answer);
    expect(await lineOf(withOption(uri, 'replicaSet', 'nope'))).toMatch(
      /no member of the replica set "nope" was found/u,
    );
  });

  test('TLS on a server without it', async () => {
    expect(await lineOf(withOption(newTestDatabase(), 'tls', 'true'))).toMatch(/MONGODB_URI does not answer: /u);
  });

  test('another kind of server', async () => {
    const web = createHttpServer((_request, response) => void response.end('<html>'));
    expect(await lineOf(`mongodb://127.0.0.1:${await portOf(web)}/`)).toMatch(/MONGODB_URI does not answer: /u);
  });

  test('no server at the address', async () => {
    expect(await lineOf('mongodb://me:s3cret@127.0.0.1:9/docwright')).toMatch(/ECONNREFUSED/u);
  });

  test('a server that is too old', async () => {
    const uri = await serverThatAnswers(() => ({ ...hello, maxWireVersion: 5 }));
    expect(await lineOf(uri)).toMatch(/wire version 5/u);
  });

  test('an srv address without DNS records', async () => {
    expect(await lineOf('mongodb+srv://nobody.invalid/docwright')).toMatch(/MONGODB_URI does not answer: .*query/u);
  });

  test('an unknown option', async () => {
    expect(await lineOf('mongodb://127.0.0.1/docwright?colour=red')).toMatch(/colour/u);
  });

  test.each([
    ['a refused user and password (code 18)', 'me:s3cret@', (command: object) => ('saslStart' in command ? 18 : 0)],
    ['a missing user (code 13)', '', () => 13],
  ])('%s', async (_what, who, codeOf) => {
    const uri = await serverThatAnswers((command) => {
      if (isHello(command)) return hello;
      return { ok: 0, code: codeOf(command), errmsg: 'Authentication failed.' };
    });
    expect(await lineOf(uri.replace('//', `//${who}`), 10_000)).toMatch(/refuses the sign-in: its user or password/u);
  });
});

describe('a server that lacks required features', () => {
  test('is rejected with the names of all missing features', async () => {
    const connection = await connectDatabase(newTestDatabase());
    const refuse = async () => {
      throw new MongoServerError({ message: "Unsupported use of '$$NOW'\nat somewhere", code: 2 });
    };
    const lacking = {
      db: {
        collection: (name: string) =>
          new Proxy(connection.collection(name), {
            get(real, key) {
              if (key === 'findOneAndUpdate') return refuse;
              if (key === 'updateOne')
                return (filter: object, change: object, ...rest: []) =>
                  Array.isArray(change) ? refuse() : real.updateOne(filter, change, ...rest);
              const value: unknown = Reflect.get(real, key);
              return typeof value === 'function' ? (value.bind(real) as unknown) : value;
            },
          }),
      },
    } as unknown as Connection;
    try {
      const error: unknown = await requireDatabaseFeatures(lacking).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StartError);
      expect((error as StartError).message).toMatch(
        /lacks required features: updates with a pipeline and \$\$NOW \(Unsupported use of '\$\$NOW'\);.* findAndModify with an upsert .*docs\/operators\/database\.md\.$/u,
      );
      expect(await connection.db?.listCollections().toArray()).toEqual([]);
    } finally {
      await connection.close();
    }
  });

  test.each([
    [
      'takes $$NOW in a projection for a text',
      { findOne: async () => ({ number: 1, at: new Date(), now: '$$NOW', is_past: true }) },
      '$$NOW in a projection ($$NOW is not a date)',
    ],
    [
      'compares a stored date wrongly in a projection',
      { findOne: async () => ({ number: 1, at: new Date(), now: new Date(), is_past: false }) },
      '$$NOW in a projection (a date of the past counts as one of the future)',
    ],
    [
      'takes every comparison with $$NOW for true',
      { countDocuments: async () => 1 },
      'comparisons of a stored date with $$NOW in a filter (a date of the past counts as one of the future)',
    ],
    [
      'claims no record that has no date yet',
      { findOneAndUpdate: async (_filter: object, change: object) => (Array.isArray(change) ? null : { number: 5 }) },
      'claims of records without a date (findAndModify with $expr and a pipeline) (a record that nobody holds is not claimed)',
    ],
    [
      'ignores the condition of a unique index',
      {
        insertMany: async () => Promise.reject(new MongoServerError({ message: 'E11000 duplicate key', code: 11_000 })),
      },
      'unique indexes with a condition (partialFilterExpression) (E11000 duplicate key)',
    ],
    [
      'finds nothing by its text index',
      { find: () => ({ toArray: async () => [] }) },
      'text indexes and $meta (the document is not found)',
    ],
  ])('one that %s is rejected with the name of that feature alone', async (_what, own, named) => {
    const connection = await connectDatabase(newTestDatabase());
    const lacking = {
      db: {
        collection: (name: string) =>
          new Proxy(connection.collection(name), {
            get(real, key) {
              const value: unknown = Reflect.get(own, key) ?? Reflect.get(real, key);
              return typeof value === 'function' ? (value.bind(real) as unknown) : value;
            },
          }),
      },
    } as unknown as Connection;
    try {
      await expect(requireDatabaseFeatures(lacking)).rejects.toThrow(
        `lacks required features: ${named}. Use MongoDB 7`,
      );
    } finally {
      await connection.close();
    }
  });

  test('a server with all features is accepted', async () => {
    const connection = await connectDatabase(newTestDatabase());
    try {
      await expect(requireDatabaseFeatures(connection)).resolves.toBeUndefined();
    } finally {
      await connection.close();
    }
  });
});

test('a start names an unfinished copy', async () => {
  const uri = newTestDatabase();
  const connection = await connectDatabase(uri);
  await connection.collection('unfinished_copy').insertOne({});
  await connection.close();
  const settings = readSettings({ MONGODB_URI: uri, APP_SECRET: 'a secret for tests' });
  const starting = startDatabase(settings, pino({ enabled: false }), createReadiness(['database']), () => undefined);
  await expect(starting).rejects.toThrow(/unfinished copy: .*Repeat that command/u);
});
