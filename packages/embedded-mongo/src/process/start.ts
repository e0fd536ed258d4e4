import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { prepareDataDirectory } from './data-directory.ts';
import type { EmbeddedMongo, StartOptions } from './embedded-mongo.ts';
import { joinServer } from './join-server.ts';
import { spawnServer } from './spawn-server.ts';

const maxAttempts = 50;
const attemptIntervalMs = 100;
/** A server that crashes more often than this within the window is not restarted. */
const maxRestarts = 5;
const restartWindowMs = 60_000;

/**
 * Starts the database server of a data directory in a process of its own, or joins the server that already runs there.
 * The server stops with its parent process, or with the last process that joined it. A server that crashes (killed, out
 * of memory) is restarted at the same address, at most five times a minute. Acknowledged writes survive, and drivers
 * reconnect by themselves.
 *
 * @param options `dataDir` is a path, absolute or relative to the working directory.
 * @returns The connection string, the process id, `stop` and `exited`.
 * @throws Error with the server's own message when it cannot start: another program has locked the file, the file is
 * damaged or not a database, or the disk is full.
 *
 * @example
 * ```ts
 * import { startEmbeddedMongo } from '@docwright/embedded-mongo';
 * import { MongoClient } from 'mongodb';
 *
 * const database = await startEmbeddedMongo({ dataDir: './.data', log: (line) => console.error(line) });
 * const client = await new MongoClient(database.uri).connect();
 * await client.db('example').collection('notes').insertOne({ text: 'stored' });
 * await client.close();
 * await database.stop();
 * ```
 */
export async function startEmbeddedMongo({ dataDir, log, ...own }: StartOptions): Promise<EmbeddedMongo> {
  const directory = resolve(dataDir);
  prepareDataDirectory(directory);
  const open = (uri?: string) => openServer(directory, log, { ...own, uri });
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
      const next = await open(uri).catch((error: Error) => log?.(error.message));
      if (next === undefined || next.uri !== uri) return code;
      // With the same process id, a stopping server accepted a last connection.
      if (next.pid !== server.pid) log?.('the database server had crashed and was restarted');
      server = next;
      // `stop` was called while the new server started.
      if (isStopping) await server.stop();
    }
  }
}

async function openServer(
  directory: string,
  log: StartOptions['log'],
  options: Pick<StartOptions, 'synchronous' | 'keepsExpired'> & { uri: string | undefined },
): Promise<EmbeddedMongo> {
  for (let attempt = 1; ; attempt++) {
    const running = await joinServer(directory);
    if (running) return running;
    const started = await spawnServer(directory, log, options);
    if ('uri' in started) return started;
    // Another process can have locked the file a moment ago without listening yet.
    if (!started.isAlreadyServed || attempt >= maxAttempts) throw new Error(started.message);
    await wait(attemptIntervalMs);
  }
}
