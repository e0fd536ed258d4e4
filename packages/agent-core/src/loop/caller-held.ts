import type { SchemaChatMessage, ToolCall, WorkingState } from '@docwright/contract';
import { checkImageCount, checkedImage } from '../llm/image-part.ts';
import type { LlmMessage, LlmToolCall } from '../llm/llm-client.ts';
import { noUsage } from '../llm/token-usage.ts';
import type { PendingTurn, TurnOwner } from '../turns/pending-turn.ts';
import { callIdFor } from '../tool/call-id.ts';

/**
 * The history of a caller that holds it itself, whose messages may carry images. Calls get ids of ours, since a client's
 * may be anybody's, and nothing of them is ever run. A result goes right behind the nearest call before it that had its
 * id, wherever the caller put it: results that were approved and answers that came later never drop each other. An image
 * in a result follows as a message of the person, since providers take images in no other. What still has no result is
 * completed by `prepareHistory`.
 *
 * Throws `image_refused` for an image that no model shall see.
 */
export function historyOfCaller(messages: readonly SchemaChatMessage[]): LlmMessage[] {
  const ours = new Map<string, string>();
  const results = new Map<string, Said>();
  const said: LlmMessage[] = [];
  let calls = 0;
  for (const message of messages) {
    const { text, images } = read(message);
    if (message.role === 'user') said.push(withImages(text, images));
    else if (message.role === 'tool') {
      const id = ours.get(message.tool_call_id ?? '');
      if (id !== undefined && !results.has(id)) results.set(id, { text, images });
    } else {
      const toolCalls = (message.tool_calls ?? []).map((call): LlmToolCall => {
        const id = callIdFor(call.id, ++calls);
        ours.set(call.id, id);
        return { id, name: call.function.name, arguments: call.function.arguments };
      });
      said.push({ role: 'assistant', content: text, ...(toolCalls.length === 0 ? {} : { toolCalls }) });
    }
  }
  const history = said.flatMap((message) =>
    message.role === 'assistant' ? [message, ...resultsOf(message, results)] : [message],
  );
  checkImageCount(history);
  return history;
}

interface Said {
  text: string;
  images: string[];
}

function read({ content }: SchemaChatMessage): Said {
  if (typeof content === 'string') return { text: content, images: [] };
  const parts = content ?? [];
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: parts.flatMap((part) => (part.type === 'image_url' ? [checkedImage(part.image_url.url)] : [])),
  };
}

function withImages(content: string, images: readonly string[]): LlmMessage {
  return { role: 'user', content, ...(images.length === 0 ? {} : { images }) };
}

function resultsOf(
  { toolCalls = [] }: Extract<LlmMessage, { role: 'assistant' }>,
  results: ReadonlyMap<string, Said>,
): LlmMessage[] {
  const found = toolCalls.flatMap(({ id }) => {
    const result = results.get(id);
    return result === undefined ? [] : [{ id, ...result }];
  });
  const images = found.flatMap((result) => result.images);
  return [
    ...found.map(({ id, text, images: shown }): LlmMessage => ({
      role: 'tool',
      callId: id,
      content: text === '' && shown.length > 0 ? 'The image follows.' : text,
    })),
    ...(images.length === 0 ? [] : [withImages('The image that was asked for:', images)]),
  ];
}

/**
 * The waiting turn of a caller that holds it itself, made of the calls that it gives back: resumed with the decisions on
 * them, `runTurn` runs them as it runs any other, checked anew. With no rounds left in the profile it ends there and
 * asks no model. Each call gets the id that it came with.
 */
export function turnHeldByCaller(turn: {
  turnId: string;
  owner: TurnOwner;
  calls: readonly ToolCall[];
  workingState: WorkingState;
}): PendingTurn {
  const { turnId, owner, calls, workingState } = turn;
  return {
    turnId,
    threadId: turnId,
    owner,
    settings: { model: '', mentions: [], autoApprove: false, autoApprovedTools: [] },
    status: 'awaiting_approval',
    roundsUsed: 0,
    transcript: [{ role: 'assistant', content: '', toolCalls: [...calls] }],
    historyLength: 1,
    workingState,
    executedRounds: [],
    batch: {
      calls: calls.map((call) => ({ ...call, effect: 'read_write', summary: call.name, needs_approval: true })),
      refusals: {},
      baselines: {},
      executed: [],
    },
    text: '',
    usage: noUsage,
    eventCount: 0,
  };
}
