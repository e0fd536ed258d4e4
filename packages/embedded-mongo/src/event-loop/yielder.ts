import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MongoError } from '../errors/mongo-error.ts';

const timeSliceMs = 5;

/**
 * Lets long commands yield to the event loop, so that they do not block others: after every small step, a command
 * checks `isDue`. Also enforces the command's `maxTimeMS`.
 */
export class Yielder {
  readonly #deadline: number;
  #since = performance.now();

  constructor(maxTimeMs?: number) {
    this.#deadline = maxTimeMs ? this.#since + maxTimeMs : Infinity;
  }

  /** Whether the time slice is used up. */
  get isDue(): boolean {
    return performance.now() - this.#since > timeSliceMs;
  }

  /** Yields to the event loop once. Throws MaxTimeMSExpired when the command has used up its time limit. */
  async yield(): Promise<void> {
    await yieldToEventLoop();
    this.#since = performance.now();
    if (this.#since > this.#deadline) throw new MongoError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
  }
}
