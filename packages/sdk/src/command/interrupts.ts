import { Interrupted } from './exit-codes.ts';

/** Handles Ctrl-C: calls the last listener; without listeners, aborts the current work. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** The returned function removes the listener. */
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
