import net from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A port before the database that notes what is read through it. */
export interface Recorder {
  port: number;
  /** The reads since the last call, in the order in which they were sent. */
  take(): Document[];
  close(): void;
}

const reads = new Set(['find', 'aggregate', 'count', 'distinct']);
/** Of the connection that sent the command, not of the question. */
const ofConnection = new Set(['lsid', '$db', '$clusterTime', '$readPreference', 'txnNumber', 'maxTimeMS']);
const headerBytes = 16;
/** MongoDB's only message for commands. */
const opMsg = 2013;

/** @param target the socket or port of the database */
export async function recordCommands(target: number | string): Promise<Recorder> {
  let taken: Document[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = typeof target === 'number' ? net.connect(target, '127.0.0.1') : net.connect(target);
    for (const [own, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(own);
      own.on('error', () => other.destroy());
      own.on('close', () => {
        sockets.delete(own);
        other.destroy();
      });
    }
    let unread = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= headerBytes && unread.length >= unread.readInt32LE(0)) {
        const message = unread.subarray(0, unread.readInt32LE(0));
        unread = unread.subarray(message.length);
        const command = commandOf(message);
        if (command !== undefined && reads.has(Object.keys(command)[0]!)) taken.push(command);
      }
    });
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The recorder has no port.');
  return {
    port: address.port,
    take() {
      const all = taken;
      taken = [];
      return all;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The command of a message, without what belongs to its connection. */
function commandOf(message: Buffer): Document | undefined {
  const [kindAt, documentAt] = [headerBytes + 4, headerBytes + 5];
  if (message.readInt32LE(12) !== opMsg || message[kindAt] !== 0) return undefined;
  const size = message.readInt32LE(documentAt);
  const command = BSON.deserialize(message.subarray(documentAt, documentAt + size));
  return Object.fromEntries(Object.entries(command).filter(([name]) => !ofConnection.has(name)));
}
