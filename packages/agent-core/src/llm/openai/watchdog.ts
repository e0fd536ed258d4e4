import { SilenceError } from '../model-errors.ts';

/** Ends a request that says nothing for too long, or whose caller has lost interest. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCallerAbort = () => this.#controller.abort(this.#caller?.reason);
  #timer: NodeJS.Timeout;
  #waitMs: number;
  #waiting = true;
  #bark: SilenceError | undefined;

  constructor(caller: AbortSignal | undefined, waitMs: number) {
    caller?.throwIfAborted();
    this.#caller = caller;
    this.#waitMs = waitMs;
    this.#timer = this.#start();
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Set once the silence was too long. */
  get bark(): SilenceError | undefined {
    return this.#bark;
  }

  /** From now on something is waited for. */
  watch(waitMs: number): void {
    this.#waiting = true;
    if (waitMs === this.#waitMs) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#waitMs = waitMs;
    this.#timer = this.#start();
  }

  /** It came: however long it is being worked on does not count. */
  rest(): void {
    this.#waiting = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      if (!this.#waiting) return;
      this.#bark = new SilenceError(this.#waitMs);
      this.#controller.abort(this.#bark);
    }, this.#waitMs);
  }
}
