import { describeInvalidArguments } from '@docwright/agent-core';
import { askScope, type AskScope, type Claim, type TurnAnswer } from '@docwright/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { RunningTurn } from '../../chat/index.ts';
import type { Actor } from '../../identity/index.ts';

export const askQuery = z.strictObject({
  question: z.string().trim().min(1).max(10_000).describe('The question, in words.'),
  scope: askScope.optional().describe('The documents to ask about. Default: all that the user can see.'),
});
export const askTool = 'ask_documents';

/** Starts the turn of a question. */
export type StartAsk = (actor: Actor, ask: { question: string; scope?: AskScope | undefined }) => Promise<RunningTurn>;

interface AskCall {
  start: (ask: z.output<typeof askQuery>) => Promise<RunningTurn>;
  /** Aborts when the client no longer waits for the answer. */
  ended: AbortSignal;
  /** The address of the web app. */
  origin: string;
}

/** Answers a question with its checked sentences, and links to the places that it cites. */
export async function askDocuments(
  args: Record<string, unknown>,
  { start, ended, origin }: AskCall,
): Promise<CallToolResult> {
  const { data, error } = askQuery.safeParse(args);
  if (!data) return refused(describeInvalidArguments(askTool, askQuery, error));
  const run = await start(data);
  const stop = () => run.stop?.();
  if (ended.aborted) stop();
  ended.addEventListener('abort', stop);
  const answer = await run.answer.finally(() => ended.removeEventListener('abort', stop));
  const conversation = `${origin}/ask?thread=${answer.thread_id}`;
  if (answer.status === 'awaiting_answers' || answer.status === 'awaiting_approval') {
    const message = `The answer waits for the user at ${conversation}. Tell them, and give them the link.`;
    return resultOf({ status: answer.status, message, links: { conversation } });
  }
  if (answer.status !== 'completed') {
    return refused(answer.error?.message ?? `The question ended as ${answer.status}. Ask again.`);
  }
  return resultOf(presented(answer, origin, conversation));
}

function presented({ text, claims = [], coverage }: TurnAnswer, origin: string, conversation: string) {
  return {
    text,
    claims,
    ...(coverage && { coverage }),
    links: { conversation, citations: citedPlaces(claims, origin) },
  };
}

/** The place of each citation, by its id. */
function citedPlaces(claims: readonly Claim[], origin: string): Record<string, string> {
  return Object.fromEntries(
    claims
      .flatMap(({ citations }) => citations)
      .flatMap(({ id, document_id, page_num, path }) => {
        if (document_id === undefined) return [];
        const place = new URLSearchParams({
          ...(path !== undefined && { field: path }),
          ...(page_num !== undefined && { page: String(page_num) }),
        });
        const query = place.size === 0 ? '' : `?${place.toString()}`;
        return [[id, `${origin}/documents/${document_id}${query}`]];
      }),
  );
}

const resultOf = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

const refused = (error: string): CallToolResult => ({ ...resultOf({ error }), isError: true });
