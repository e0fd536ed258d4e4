import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'bson';

const opMessage = 2013;

/**
 * A client of the wire protocol that can send any bytes, also ones that no driver sends.
 *
 * @example
 * ```ts
 * import { startTestDatabase, WireClient } from '@docwright/embedded-mongo/testing';
 *
 * const database = await startTestDatabase();
 * const client = await WireClient.connect(database.uri);
 * const reply = await client.command({ ping: 1, $db: 'test' });
 * await client.close();
 * await database.stop();
 * ```
 */
export class WireClient {
  readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Connects to a server on a port. Rejects when no server listens there. */
  static async connect(uri: string): Promise<WireClient> {
    const { port } = new URL(uri);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => socket.destroy());
    return new WireClient(socket);
  }

  /**
   * Inserts the bytes of a document, as a document sequence. Returns undefined when the server closes the connection.
   */
  async insert(db: string, collection: string, document: Buffer): Promise<Document | undefined> {
    const body = Buffer.from(BSON.serialize({ insert: collection, $db: db }));
    const name = Buffer.from('documents\0');
    const length = Buffer.alloc(4);
    length.writeInt32LE(4 + name.length + document.length);
    const sections = [Buffer.from([0]), body, Buffer.from([1]), length, name, document];
    return this.send(Buffer.concat([Buffer.alloc(4), ...sections]));
  }

  /** Sends a command, which names its database in `$db`. Returns undefined when the server closes the connection. */
  async command(command: Document): Promise<Document | undefined> {
    return this.send(Buffer.concat([Buffer.alloc(5), Buffer.from(BSON.serialize(command))]));
  }

  /** Sends the bytes after the header of an OP_MSG. Returns undefined when the server closes the connection. */
  async send(payload: Buffer): Promise<Document | undefined> {
    const header = Buffer.alloc(16);
    header.writeInt32LE(16 + payload.length, 0);
    header.writeInt32LE(1, 4);
    header.writeInt32LE(opMessage, 12);
    this.socket.write(Buffer.concat([header, payload]));
    return this.reply();
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    this.socket.destroy();
    await once(this.socket, 'close');
  }

  /** Waits for the next reply. Returns undefined when the server closes the connection. */
  async reply(): Promise<Document | undefined> {
    const chunks: Buffer[] = [];
    return new Promise((resolve) => {
      const done = (reply?: Document): void => {
        this.socket.off('data', receive).off('close', closed);
        resolve(reply);
      };
      const closed = (): void => done();
      const receive = (chunk: Buffer): void => {
        chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        if (bytes.length >= 16 && bytes.length >= bytes.readInt32LE(0)) done(BSON.deserialize(bytes.subarray(21)));
      };
      this.socket.on('data', receive).once('close', closed);
      if (this.socket.destroyed) done();
    });
  }
}
