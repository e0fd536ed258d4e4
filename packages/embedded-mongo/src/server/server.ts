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

export interface ServerOptions {
  /** Path of the SQLite file. The server creates a missing file. */
  file: string;
  /** A socket file to listen on, or a port of the loopback interface; 0 takes any free port. */
  listen: { socket: string } | { port: number };
  /** The writes that a power loss can cost; `off` is for tests. Default: `normal`. */
  synchronous?: Synchronous;
  /** Interval of the TTL index check, in milliseconds. */
  expiryInterval?: number;
  log?: Log;
}

const dayMs = 86_400_000;
/** Longest time that the file check can add to a start. The rest of the file is checked in the background. */
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
  #timer: NodeJS.Timeout | undefined;
  #dailyTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #connections = 0;

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
    this.#journal =
      // The other modes need no journal: either every commit is on the disk, or none needs to be.
      synchronous === 'normal'
        ? new Journal(`${file}-wal`, (error) => this.#warn('writing the journal', error))
        : undefined;
    this.#commits = new CommitQueue(this.#storage, this.#journal);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  async listen(): Promise<this> {
    const { listen, expiryInterval = 30_000 } = this.#options;
    this.#timer = setInterval(() => void this.#sweep(), expiryInterval).unref();
    this.#dailyTimer = setInterval(() => this.#emptyLog(), dayMs / 2).unref();
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
  async lastProcessLeft(): Promise<void> {
    for (let joined = this.#joinedProcesses(); joined.length > 0; joined = this.#joinedProcesses()) {
      await Promise.all(joined.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    }
  }

  /** Unlike a driver, a joined process opens a connection and sends nothing. */
  #joinedProcesses(): Socket[] {
    return [...this.#sockets].filter((socket) => socket.bytesRead === 0);
  }

  /** Closes all connections, commits the writes and closes the file. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#dailyTimer);
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
    const shared = { storage: this.#storage, cursors: this.#cursors, commits: this.#commits, log: this.#log };
    new Connection(socket, ++this.#connections, shared).serve();
  }

  async #sweep(): Promise<void> {
    try {
      this.#cursors.closeIdle();
      await deleteExpired(this.#storage);
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

  #emptyLog(): void {
    try {
      this.#storage.emptyLog();
    } catch (error) {
      this.#warn('emptying the write-ahead log', error);
    }
  }

  #warn(task: string, error: unknown): void {
    this.#log(`${task} failed: ${(error as Error).message}`);
  }
}

/** Deletes the documents that have expired by a TTL index. Returns their number. */
async function deleteExpired(storage: Storage): Promise<number> {
  let deleted = 0;
  for (const collection of storage.collections.values()) {
    for (const index of collection.indexes) {
      const seconds = index.expireAfterSeconds;
      if (seconds === undefined || collection.dropped) continue;
      const expired: BsonDocument = new Map([
        [index.fields[0]!.path, new Map([['$lte', new Date(Date.now() - seconds * 1000)]])],
      ]);
      const filter: BsonDocument = index.partialFilter ? new Map([['$and', [expired, index.partialFilter]]]) : expired;
      deleted += await changeMatching(collection, { filter }, new Yielder(), ({ row, document }) => {
        collection.remove(row, document);
      });
    }
  }
  return deleted;
}
