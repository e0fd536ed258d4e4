import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CallOutcome, CallPlace } from './call-outcome.ts';

/** Where in the web app a call stands. */
export type LinkTo = (place: CallPlace) => string;

/** What a client is answered. A call that waits is no error: nothing is wrong with it. */
export function toolResult(outcome: CallOutcome, linkTo: LinkTo): CallToolResult {
  if (outcome.kind === 'done') {
    const place = outcome.place && placeOf(outcome.place);
    const result = outcome.success ? outcome.result : { error: outcome.error };
    return {
      content: [{ type: 'text', text: JSON.stringify(result) ?? 'null' }, ...imagesOf(outcome)],
      structuredContent: isObject(result) ? result : { result },
      ...(outcome.success ? {} : { isError: true }),
      ...(place && { _meta: { 'docwright/turn': place } }),
    };
  }
  const place = { ...placeOf(outcome.place), link: linkTo(outcome.place) };
  const answer =
    outcome.kind === 'running'
      ? { status: 'running', ...place, message: stillRuns }
      : { status: 'awaiting_approval', call_id: outcome.call.id, ...place, message: waits(place.link) };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}

/** Data URLs as content of their own. */
function imagesOf(outcome: Extract<CallOutcome, { kind: 'done' }>): CallToolResult['content'] {
  const images = outcome.success ? (outcome.images ?? []) : [];
  return images.map((url) => {
    const [head = '', data = ''] = url.split(';base64,');
    return { type: 'image' as const, mimeType: head.slice('data:'.length), data };
  });
}

function placeOf({ documentId, threadId, turnId }: CallPlace) {
  return { document_id: documentId, thread_id: threadId, turn_id: turnId };
}

const stillRuns = 'The call was approved and still runs. Ask get_call for its outcome.';

function waits(link: string): string {
  return `This write has not run. It waits for the person’s approval at ${link} and runs as soon as they approve it there. Tell them, give them the link, and do not call it again meanwhile; get_call tells what became of it.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
