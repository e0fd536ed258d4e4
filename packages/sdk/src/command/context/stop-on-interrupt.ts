import type { CommandContext } from './context.ts';
import { Interrupted } from './exit-codes.ts';

/** A turn or an answer that runs in the server. */
export interface WatchedWork {
  /** For messages: `turn`. */
  name: string;
  /** Called on each Ctrl-C before a message is printed. */
  beforeMessage: () => void;
  /** False while the server has not named the work yet. */
  canStop: () => boolean;
  stop: () => Promise<unknown>;
  /** The message when the user leaves the work running, with the command to continue. */
  howToContinue: () => string;
}

/** The handling of Ctrl-C while a command watches work. */
export interface InterruptHandling {
  /** Aborted with `Interrupted` when the user leaves the work running. */
  readonly signal: AbortSignal;
  /** Ends the handling. A stop that has not been requested yet is cancelled. */
  close(): void;
}

/** Delay after a first Ctrl-C: with a second one, the user leaves without stopping the work. */
const graceMs = 1_500;

/**
 * Handles Ctrl-C while a command watches work in the server. The first one asks the server to stop the work after a
 * moment. A second one leaves it running: it aborts `signal` with `Interrupted`.
 */
export function stopOnInterrupt(
  context: Pick<CommandContext, 'onInterrupt' | 'output'>,
  work: WatchedWork,
): InterruptHandling {
  const { output } = context;
  const leaving = new AbortController();
  let stopping: ReturnType<typeof setTimeout> | undefined;
  const stopListening = context.onInterrupt(() => {
    work.beforeMessage();
    if (stopping !== undefined || !work.canStop()) {
      leaving.abort(new Interrupted(work.howToContinue()));
      return;
    }
    output.note(`Stopping the ${work.name}. Press Ctrl-C again to leave it running in the server.`);
    stopping = setTimeout(() => {
      work.stop().catch(() => output.note('The server did not accept the stop request.'));
    }, graceMs);
  });
  return {
    signal: leaving.signal,
    close() {
      clearTimeout(stopping);
      stopListening();
    },
  };
}
