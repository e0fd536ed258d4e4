import { setImmediate as nextTurn } from 'node:timers/promises';
import { MongoError } from './errors.ts';

const maxStretchMs = 5;

/**
 * Keeps one command from holding up the others: long work asks after every small step whether it has had its
 * milliseconds, and lets the event loop turn if so. Also holds a command to its `maxTimeMS`.
 */
export class Pace {
  readonly #deadline: number;
  #since = performance.now();

  constructor(maxTimeMs?: number) {
    this.#deadline = maxTimeMs ? this.#since + maxTimeMs : Infinity;
  }

  get isDue(): boolean {
    return performance.now() - this.#since > maxStretchMs;
  }

  /** Throws MaxTimeMSExpired when the command's time is up. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
    if (this.#since > this.#deadline) throw new MongoError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
  }
}
