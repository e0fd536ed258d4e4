import type { AgentMessageAnswer } from '@docwright/contract';
import type { Docwright } from '../../create-docwright.ts';
import type { CommandContext } from '../context/context.ts';
import { Interrupted } from '../context/exit-codes.ts';
import { createAnswerPrinter } from './answer-printer.ts';

/** The conversation with the pipeline agent, and the client for it. */
export interface SetupPlace {
  client: Docwright;
  conversationId: string;
}

export interface ShownAnswer {
  answer: AgentMessageAnswer;
  /** The agent's name for the collection, when it asks to apply the pipeline. */
  proposedName: string | undefined;
}

/** Delay after a first Ctrl-C: with a second one, the user leaves without stopping the answer. */
const graceMs = 1_500;

/**
 * Sends a message and shows the whole answer. Ctrl-C makes the server stop it after a moment; the pipeline built so far
 * is preserved. A second Ctrl-C leaves it running and throws `Interrupted` with the command to continue.
 */
export async function showAnswer(
  context: CommandContext,
  { client, conversationId }: SetupPlace,
  message: string,
  { events = false }: { events?: boolean } = {},
): Promise<ShownAnswer> {
  const { output } = context;
  const printer = createAnswerPrinter(output);
  const leaving = new AbortController();
  let stopping: ReturnType<typeof setTimeout> | undefined;
  let proposedName: string | undefined;
  const stopListening = context.onInterrupt(() => {
    printer.endLine();
    if (stopping !== undefined) {
      leaving.abort(new Interrupted(`Left. Continue with: docwright setup --conversation ${conversationId}`));
      return;
    }
    output.note('Stopping the answer. Press Ctrl-C again to leave it running in the server.');
    stopping = setTimeout(() => {
      client.agentConversations
        .stop(conversationId)
        .catch(() => output.note('The server did not accept the stop request.'));
    }, graceMs);
  });
  const stream = client.agentConversations.stream(conversationId, message, { signal: leaving.signal });
  try {
    for await (const event of stream) {
      if (events) output.line(event);
      if (event.type === 'question') proposedName = event.collection_name;
      printer.event(event);
    }
    return { answer: await stream.answer(), proposedName };
  } finally {
    printer.endLine();
    clearTimeout(stopping);
    stopListening();
  }
}
