import type { AgentMessageAnswer } from '@docwright/contract';
import type { Docwright } from '../../create-docwright.ts';
import type { CommandContext } from '../context.ts';
import { Interrupted } from '../exit-codes.ts';
import { createAnswerPrinter } from './answer-printer.ts';

export interface SetupPlace {
  client: Docwright;
  conversationId: string;
}

export interface ShownAnswer {
  answer: AgentMessageAnswer;
  /** How the agent would call the collection, where it asks to apply the pipeline. */
  proposedName: string | undefined;
}

/** After a first Ctrl-C: time for the second, with which a person leaves without stopping anything. */
const graceMilliseconds = 1_500;

/**
 * Says something and shows the answer to its end. Ctrl-C has the server end it after a moment, keeping what was built; a
 * second one leaves it as it is and throws `Interrupted`, which says how to go on.
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
      leaving.abort(new Interrupted(`Left. Go on with: docwright setup --conversation ${conversationId}`));
      return;
    }
    output.note('Ending the answer. Ctrl-C again leaves it going in the server.');
    stopping = setTimeout(() => {
      client.agentConversations
        .stop(conversationId)
        .catch(() => output.note('The server could not be told to end the answer.'));
    }, graceMilliseconds);
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
