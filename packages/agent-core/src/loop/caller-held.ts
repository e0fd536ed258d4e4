import type { SchemaChatMessage, ToolCall, WorkingState } from '@docwright/contract';
import { checkImageCount, checkedImage } from '../llm/image-part.ts';
import type { LlmMessage, LlmToolCall } from '../llm/llm-client.ts';
import { noUsage } from '../llm/token-usage.ts';
import type { PendingTurn, TurnOwner } from '../turns/pending-turn.ts';
import { callIdFor } from '../tool/call-id.ts';

/**
 * Converts the history that a stateless caller sends. Calls get new ids, because the caller's ids are untrusted and not
 * unique; none of these calls is run. Each result is moved right behind the nearest earlier call with its id. Images in a
 * result follow in a user message, the only kind in which providers accept images. `prepareHistory` later completes calls
 * without a result.
 *
 * Throws a DomainError with code `image_refused` for an image that must not reach a model.
 *
 * @example
 * import { historyOfCaller } from '@docwright/agent-core';
 *
 * historyOfCaller([{ role: 'user', content: 'I need the total.' }]); // [{ role: 'user', content: 'I need the total.' }]
 */
export function historyOfCaller(messages: readonly SchemaChatMessage[]): LlmMessage[] {
  const callIds = new Map<string, string>();
  const results = new Map<string, MessageContent>();
  const messagesWithoutResults: LlmMessage[] = [];
  let calls = 0;
  for (const message of messages) {
    const { text, images } = contentOf(message);
    if (message.role === 'user') messagesWithoutResults.push(withImages(text, images));
    else if (message.role === 'tool') {
      const id = callIds.get(message.tool_call_id ?? '');
      if (id !== undefined && !results.has(id)) results.set(id, { text, images });
    } else {
      const toolCalls = (message.tool_calls ?? []).map((call): LlmToolCall => {
        const id = callIdFor(call.id, ++calls);
        callIds.set(call.id, id);
        return { id, name: call.function.name, arguments: call.function.arguments };
      });
      messagesWithoutResults.push({
        role: 'assistant',
        content: text,
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      });
    }
  }
  const history = messagesWithoutResults.flatMap((message) =>
    message.role === 'assistant' ? [message, ...resultsOf(message, results)] : [message],
  );
  checkImageCount(history);
  return history;
}

interface MessageContent {
  text: string;
  images: string[];
}

function contentOf({ content }: SchemaChatMessage): MessageContent {
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
  results: ReadonlyMap<string, MessageContent>,
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
 * Rebuilds the pending turn of a stateless caller from the calls that the caller sends back. `runTurn` checks and runs
 * them like any other decided batch; with `maxRounds: 0` the turn ends there and asks no model. Calls keep their ids.
 *
 * @example
 * import { turnHeldByCaller, type TurnOwner } from '@docwright/agent-core';
 *
 * declare const owner: TurnOwner;
 * const pending = turnHeldByCaller({
 *   turnId: '64a0c0ffee64a0c0ffee0003',
 *   owner,
 *   calls: [{ id: 'c1', name: 'remove_column', arguments: '{"columnId":"total"}' }],
 *   workingState: { schema_revid: null, prompt_revid: null, extraction: null },
 * });
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
