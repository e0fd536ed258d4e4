import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { prepareDataDirectory } from './data-directory.ts';
import { joinServer } from './join-server.ts';
import { spawnServer } from './spawn-server.ts';

export interface EmbeddedMongo {
  /** A connection string for the official driver, without a database name. */
  uri: string;
  /** The process that serves. */
  pid: number;
  /** Ends the server if this handle started it and nobody else uses it; otherwise it goes on until the last has stopped. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, with its exit code when this handle started it. */
  exited: Promise<number | null>;
}

export interface StartOptions {
  /** The folder of the database; made if there is none. */
  dataDir: string;
  /** Receives what the server has to say, a line at a time. */
  log?: ((line: string) => void) | undefined;
}

const attempts = 50;
const betweenAttempts = 100;

/**
 * Starts the server of a data directory as a process of its own, or joins the one that already serves it. The process
 * ends with its parent, or with the last that has joined. Throws with what the server said when it cannot start.
 */
export async function startEmbeddedMongo({ dataDir, log }: StartOptions): Promise<EmbeddedMongo> {
  const directory = resolve(dataDir);
  prepareDataDirectory(directory);
  for (let attempt = 1; ; attempt++) {
    const running = await joinServer(directory);
    if (running) return running;
    const started = await spawnServer(directory, log);
    if ('uri' in started) return started;
    // Another process may have taken the file a moment ago and not be listening yet.
    if (!started.alreadyServed || attempt >= attempts) throw new Error(started.message);
    await wait(betweenAttempts);
  }
}
