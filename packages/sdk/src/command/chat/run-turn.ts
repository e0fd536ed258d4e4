import type { TurnAnswer } from '@docwright/contract';
import type { Docwright } from '../../create-docwright.ts';
import type { TurnStream } from '../../turns/turn-stream.ts';
import type { CommandContext } from '../context/context.ts';
import { stopOnInterrupt } from '../context/stop-on-interrupt.ts';
import { createTurnPrinter } from './turn-printer.ts';

/** The document of a turn, and the client for it. */
export interface TurnPlace {
  client: Docwright;
  documentId: string;
}

/**
 * Shows a turn until it pauses or finishes. Ctrl-C makes the server stop it after a moment. A second Ctrl-C leaves it
 * running and throws `Interrupted` with the command to continue.
 */
export async function showTurn(
  context: CommandContext,
  { client, documentId }: TurnPlace,
  open: (signal: AbortSignal) => TurnStream,
  { events = false }: { events?: boolean } = {},
): Promise<TurnAnswer> {
  const { output } = context;
  const printer = createTurnPrinter(output);
  const interrupts = stopOnInterrupt(context, {
    name: 'turn',
    beforeMessage: () => printer.endLine(),
    canStop: () => stream.turnId !== undefined,
    stop: () => client.chat.stop(documentId, stream.turnId!),
    howToContinue: () => howToContinue(documentId, stream.turnId),
  });
  const stream: TurnStream = open(interrupts.signal);
  try {
    for await (const event of stream) {
      if (events) output.line(event);
      printer.event(event);
    }
    return await stream.answer();
  } finally {
    printer.endLine();
    interrupts.close();
  }
}

function howToContinue(documentId: string, turnId: string | undefined): string {
  if (turnId === undefined) return 'Left before the turn started.';
  return `Left. See the result of turn ${turnId} with: docwright turn ${turnId} --document ${documentId}`;
}

/** The commands to decide a turn that is left pending. */
export function howToDecide({ documentId }: TurnPlace, { turn_id, thread_id, status }: TurnAnswer): string[] {
  const go = `  docwright chat ${documentId} --thread ${thread_id}`;
  if (status === 'awaiting_answers') return ['The turn is waiting for your answers. Give them with:', go];
  return [
    'The turn is waiting for your approval. Decide with one of:',
    `  docwright approve ${turn_id}`,
    `  docwright approve ${turn_id} --reject --reason "…"`,
    go,
  ];
}
