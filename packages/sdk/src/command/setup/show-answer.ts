import type { AgentMessageAnswer } from '@docwright/contract';
import type { Docwright } from '../../create-docwright.ts';
import type { CommandContext } from '../context/context.ts';
import { stopOnInterrupt } from '../context/stop-on-interrupt.ts';
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
  let proposedName: string | undefined;
  const interrupts = stopOnInterrupt(context, {
    name: 'answer',
    beforeMessage: () => printer.endLine(),
    canStop: () => true,
    stop: () => client.agentConversations.stop(conversationId),
    howToContinue: () => `Left. Continue with: docwright setup --conversation ${conversationId}`,
  });
  const stream = client.agentConversations.stream(conversationId, message, { signal: interrupts.signal });
  try {
    for await (const event of stream) {
      if (events) output.line(event);
      if (event.type === 'question') proposedName = event.collection_name;
      printer.event(event);
    }
    return { answer: await stream.answer(), proposedName };
  } finally {
    printer.endLine();
    interrupts.close();
  }
}
