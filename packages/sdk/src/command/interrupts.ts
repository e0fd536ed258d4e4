import { Interrupted } from './exit-codes.ts';

/** Ctrl-C: goes to whoever listened last; where nobody does, it aborts what is going on. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** The function it gives takes the listener away again. */
  listen: (listener: () => void) => () => void;
  close(): void;
}

export function createInterrupts(): Interrupts {
  const listeners: (() => void)[] = [];
  const controller = new AbortController();
  const onSignal = () => {
    const listener = listeners.at(-1);
    if (listener !== undefined) listener();
    else controller.abort(new Interrupted('Interrupted.'));
  };
  process.on('SIGINT', onSignal);
  return {
    signal: controller.signal,
    listen(listener) {
      listeners.push(listener);
      return () => {
        const at = listeners.lastIndexOf(listener);
        if (at >= 0) listeners.splice(at, 1);
      };
    },
    close() {
      process.off('SIGINT', onSignal);
    },
  };
}
