import { setImmediate as nextTurn } from 'node:timers/promises';
import { MongoError } from './errors.ts';

const maxStretchMs = 5;

/**
 * Lets long commands yield to the event loop, so that they do not block others: a command asks after every small step
 * whether its time slice is used up. Also enforces the command's `maxTimeMS`.
 */
export class Yielder {
  readonly #deadline: number;
  #since = performance.now();

  constructor(maxTimeMs?: number) {
    this.#deadline = maxTimeMs ? this.#since + maxTimeMs : Infinity;
  }

  get isDue(): boolean {
    return performance.now() - this.#since > maxStretchMs;
  }

  /** Yields to the event loop once. Throws MaxTimeMSExpired when the command has used up its time limit. */
  async yield(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
    if (this.#since > this.#deadline) throw new MongoError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
  }
}
