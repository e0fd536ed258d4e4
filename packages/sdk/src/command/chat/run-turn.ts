import type { TurnAnswer } from '@docwright/contract';
import type { Docwright } from '../../create-docwright.ts';
import type { TurnStream } from '../../turns/turn-stream.ts';
import type { CommandContext } from '../context.ts';
import { Interrupted } from '../exit-codes.ts';
import { createTurnPrinter } from './turn-printer.ts';

export interface TurnPlace {
  client: Docwright;
  documentId: string;
}

/**
 * Shows a turn up to its next pause or end. The first Ctrl-C asks the server to stop it, the second leaves it running
 * and throws `Interrupted`, which says how to go on.
 */
export async function showTurn(
  context: CommandContext,
  { client, documentId }: TurnPlace,
  open: (signal: AbortSignal) => TurnStream,
  { events = false }: { events?: boolean } = {},
): Promise<TurnAnswer> {
  const { output } = context;
  const printer = createTurnPrinter(output);
  const leaving = new AbortController();
  let interrupts = 0;
  const stream = open(leaving.signal);
  const stopListening = context.onInterrupt(() => {
    interrupts += 1;
    printer.endLine();
    const { turnId } = stream;
    if (interrupts > 1 || turnId === undefined) {
      leaving.abort(new Interrupted(howToGoOn(documentId, turnId)));
      return;
    }
    output.note('Stopping the turn. Ctrl-C again leaves it running in the server.');
    client.chat.stop(documentId, turnId).catch(() => output.note('The server could not be told to stop.'));
  });
  try {
    for await (const event of stream) {
      if (events) output.line(event);
      printer.event(event);
    }
    return await stream.answer();
  } finally {
    printer.endLine();
    stopListening();
  }
}

function howToGoOn(documentId: string, turnId: string | undefined): string {
  if (turnId === undefined) return 'Left before the turn began.';
  return `Left. Turn ${turnId} runs on; see it with: docwright turn ${turnId} --document ${documentId}`;
}

/** What a person is told when a turn is left waiting. */
export function howToDecide({ documentId }: TurnPlace, { turn_id, thread_id, status }: TurnAnswer): string[] {
  const go = `  docwright chat ${documentId} --thread ${thread_id}`;
  if (status === 'awaiting_answers') return ['The turn waits for your answers. Give them with:', go];
  return [
    'The turn waits for your approval. Decide with one of:',
    `  docwright approve ${turn_id}`,
    `  docwright approve ${turn_id} --reject --reason "…"`,
    go,
  ];
}
