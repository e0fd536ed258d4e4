import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Synchronous } from '../storage/storage.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { joinServer } from './join-server.ts';
import { spawnServer } from './spawn-server.ts';

export interface EmbeddedMongo {
  /** A connection string for the official driver, without a database name. It stays the same when the server is restarted. */
  uri: string;
  /** The process that serves at the moment. */
  readonly pid: number;
  /** Ends the server if this handle started it and nobody else uses it; otherwise it goes on until the last has stopped. */
  stop(): Promise<void>;
  /**
   * Resolves when the server has ended for good, with its exit code when this handle started it: after `stop`, or when a
   * server that ended by itself could not be restarted.
   */
  exited: Promise<number | null>;
}

export interface StartOptions {
  /** The folder of the database; made if there is none. */
  dataDir: string;
  /** Receives what the server has to say, a line at a time. */
  log?: ((line: string) => void) | undefined;
  /** What a loss of power can cost: `normal` (the default) the last tenth of a second, `full` nothing acknowledged. */
  synchronous?: Synchronous | undefined;
}

type Server = Pick<EmbeddedMongo, 'uri' | 'pid' | 'stop' | 'exited'>;

const attempts = 50;
const betweenAttemptsMs = 100;
/** A server that ends more often than this within the window would only end again. */
const maxRestarts = 5;
const restartWindowMs = 60_000;

/**
 * Starts the server of a data directory as a process of its own, or joins the one that already serves it. The process
 * ends with its parent, or with the last that has joined. A server that ends by itself (killed, out of memory) is started
 * again at the same address; what it had acknowledged is there, and drivers connect again by themselves.
 *
 * @throws Error with what the server said when it cannot start: another process that holds the file, a file that is damaged
 * or no database, a full disk.
 *
 * @example
 * ```ts
 * import { startEmbeddedMongo } from '@docwright/embedded-mongo';
 * import { MongoClient } from 'mongodb';
 *
 * const database = await startEmbeddedMongo({ dataDir: './.data', log: (line) => console.error(line) });
 * const client = await new MongoClient(database.uri).connect();
 * await client.db('example').collection('notes').insertOne({ text: 'kept' });
 * await client.close();
 * await database.stop();
 * ```
 */
export async function startEmbeddedMongo({ dataDir, log, synchronous }: StartOptions): Promise<EmbeddedMongo> {
  const directory = resolve(dataDir);
  prepareDataDirectory(directory);
  const open = (uri?: string) => openServer(directory, log, { synchronous, uri });
  let server = await open();
  const { uri } = server;
  let isStopping = false;
  return {
    uri,
    get pid() {
      return server.pid;
    },
    exited: supervise(),
    async stop() {
      isStopping = true;
      await server.stop();
    },
  };

  async function supervise(): Promise<number | null> {
    let restarts: number[] = [];
    for (;;) {
      const code = await server.exited;
      if (isStopping) return code;
      restarts = [...restarts, Date.now()].filter((at) => at > Date.now() - restartWindowMs);
      if (restarts.length > maxRestarts) return code;
      log?.('the database server has ended by itself and is started again');
      const next = await open(uri).catch((error: Error) => log?.(error.message));
      if (next === undefined || next.uri !== uri) return code;
      server = next;
      // Asked for while it started.
      if (isStopping) await server.stop();
    }
  }
}

async function openServer(
  directory: string,
  log: StartOptions['log'],
  options: { synchronous: Synchronous | undefined; uri: string | undefined },
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const running = await joinServer(directory);
    if (running) return running;
    const started = await spawnServer(directory, log, options);
    if ('uri' in started) return started;
    // Another process may have taken the file a moment ago and not be listening yet.
    if (!started.alreadyServed || attempt >= attempts) throw new Error(started.message);
    await wait(betweenAttemptsMs);
  }
}
