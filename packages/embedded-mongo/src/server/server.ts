import { chmodSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Cursors } from '../commands/cursors.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { changeMatching } from '../execution/change-matching.ts';
import { Journal } from '../storage/journal.ts';
import type { Synchronous } from '../storage/sqlite-connection.ts';
import { Storage } from '../storage/storage.ts';
import type { BsonDocument } from '../values/value.ts';
import { CommitQueue } from './commit-queue.ts';
import { Connection, type Log } from './connection.ts';

/** The options of an `EmbeddedMongoServer`. */
export interface ServerOptions {
  /** Path of the SQLite file. The server creates a missing file. */
  file: string;
  /** A socket file to listen on, or a port of the loopback interface; 0 stands for any free port. */
  listen: { socket: string } | { port: number };
  /** The writes that a power loss can cost; `off` is for tests. Default: `normal`. */
  synchronous?: Synchronous;
  /** Interval in which expired documents are deleted, in milliseconds. Default: 30,000. */
  expiryIntervalMs?: number;
  /** Keeps documents that a TTL index expires. Default: false. */
  keepsExpired?: boolean;
  /** Receives the log, one message at a time. Default: no log. */
  log?: Log;
}

const dayMs = 86_400_000;
/** Time for the check of the file at the start. The rest of the file is checked in the background. */
const checkAtStartMs = 300;

/** The database file is damaged; the message is SQLite's. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError';
}

/** A MongoDB-protocol server over one SQLite file. */
export class EmbeddedMongoServer {
  readonly #storage: Storage;
  readonly #commits: CommitQueue;
  readonly #journal: Journal | undefined;
  readonly #cursors = new Cursors();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #options: ServerOptions;
  readonly #log: Log;
  #expiryTimer: NodeJS.Timeout | undefined;
  #checkpointTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #lastConnectionId = 0;

  /** Throws when another process has locked the file, or when the file is damaged. */
  constructor(options: ServerOptions) {
    this.#options = options;
    this.#log = options.log ?? (() => undefined);
    const { file, synchronous = 'normal' } = options;
    this.#storage = new Storage(file, synchronous);
    this.#storage.integrity.checkFor(checkAtStartMs);
    const { integrity } = this.#storage;
    if (integrity.result.state === 'damaged') {
      this.#storage.close();
      throw new DamagedDatabaseError(integrity.result.problem);
    }
    // Only `normal` needs a journal: with `full`, SQLite flushes every commit itself, and with `off`, no commit is
    // flushed.
    this.#journal =
      synchronous === 'normal'
        ? new Journal(`${file}-wal`, (error) => this.#warn('writing the journal', error))
        : undefined;
    this.#commits = new CommitQueue(this.#storage, this.#journal);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Starts to accept connections. Rejects when the address is taken. */
  async listen(): Promise<this> {
    const { listen, expiryIntervalMs = 30_000 } = this.#options;
    this.#expiryTimer = setInterval(() => void this.#cleanUp(), expiryIntervalMs).unref();
    this.#checkpointTimer = setInterval(() => this.#checkpoint(), dayMs / 2).unref();
    void this.#watchIntegrity();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      if ('socket' in listen) this.#server.listen(listen.socket, resolve);
      else this.#server.listen(listen.port, '127.0.0.1', resolve);
    });
    if ('socket' in listen && process.platform !== 'win32') chmodSync(listen.socket, 0o600);
    return this;
  }

  /** A connection string for the official driver. */
  get uri(): string {
    const { listen } = this.#options;
    const host =
      'socket' in listen
        ? encodeURIComponent(listen.socket)
        : `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return `mongodb://${host}/?directConnection=true`;
  }

  /** Whether other processes have joined the server. */
  get hasJoinedProcesses(): boolean {
    return this.#joinedProcesses().length > 0;
  }

  /** Resolves when the last joined process has disconnected. */
  async joinedProcessesLeft(): Promise<void> {
    for (let joined = this.#joinedProcesses(); joined.length > 0; joined = this.#joinedProcesses()) {
      await Promise.all(joined.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    }
  }

  /** The connections of joined processes. Unlike a driver, a joined process sends nothing on its connection. */
  #joinedProcesses(): Socket[] {
    return [...this.#sockets].filter((socket) => socket.bytesRead === 0);
  }

  /** Closes all connections, commits the writes and closes the file. */
  async close(): Promise<void> {
    clearInterval(this.#expiryTimer);
    clearInterval(this.#checkpointTimer);
    this.#closing.abort();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#commits.flush();
    await this.#journal?.close();
    this.#storage.close();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    const state = { storage: this.#storage, cursors: this.#cursors, commits: this.#commits, log: this.#log };
    new Connection(socket, ++this.#lastConnectionId, state).serve();
  }

  /** Closes idle cursors and deletes expired documents. */
  async #cleanUp(): Promise<void> {
    try {
      this.#cursors.closeIdle();
      if (!this.#options.keepsExpired) await deleteExpired(this.#storage);
    } catch (error) {
      this.#warn('deleting expired documents', error);
    }
    this.#commits.flush();
  }

  async #watchIntegrity(): Promise<void> {
    const { integrity } = this.#storage;
    await integrity.checkInBackground(this.#closing.signal, dayMs);
    if (integrity.result.state === 'damaged') this.#log(`the database file is damaged: ${integrity.result.problem}`);
  }

  /** Empties the write-ahead log twice a day, so that it does not retain deleted content. */
  #checkpoint(): void {
    try {
      this.#storage.checkpoint();
    } catch (error) {
      this.#warn('emptying the write-ahead log', error);
    }
  }

  #warn(task: string, error: unknown): void {
    this.#log(`${task} failed: ${(error as Error).message}`);
  }
}

/** Deletes the documents that have expired by a TTL index. */
async function deleteExpired(storage: Storage): Promise<void> {
  for (const collection of storage.collections.values()) {
    for (const index of collection.indexes) {
      const seconds = index.expireAfterSeconds;
      if (seconds === undefined || collection.isDropped) continue;
      const expired: BsonDocument = new Map([
        [index.fields[0]!.path, new Map([['$lte', new Date(Date.now() - seconds * 1000)]])],
      ]);
      const filter: BsonDocument = index.partialFilter ? new Map([['$and', [expired, index.partialFilter]]]) : expired;
      await changeMatching(collection, { filter }, new Yielder(), ({ row, document }) => {
        collection.remove(row, document);
      });
    }
  }
}
