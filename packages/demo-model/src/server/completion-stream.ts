import { type Completion, envelope } from './completion.ts';

const maxPieceLength = 32;

/** Words with the space that follows them; a run without spaces, as in JSON, in pieces of 32 characters. */
function piecesOf(text: string): string[] {
  const words = text.match(/\s*\S+\s*/gu) ?? [];
  return words.flatMap((word) => word.match(new RegExp(`[\\s\\S]{1,${maxPieceLength}}`, 'gu')) ?? []);
}

/** The chunks of a streamed answer in OpenAI's order: role, text, calls, finish reason, and usage where it was asked for. */
export function* completionChunks(completion: Completion, includeUsage: boolean): Generator<object> {
  const chunk = (delta: object, finishReason: string | null = null) => ({
    ...envelope(completion, 'chat.completion.chunk'),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(includeUsage ? { usage: null } : {}),
  });

  yield chunk({ role: 'assistant', content: '' });
  for (const piece of piecesOf(completion.text)) yield chunk({ content: piece });
  for (const [index, call] of completion.calls.entries()) {
    const { id, type } = call;
    yield chunk({ tool_calls: [{ index, id, type, function: { name: call.function.name, arguments: '' } }] });
    for (const piece of piecesOf(call.function.arguments)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, completion.finishReason);
  if (includeUsage) {
    yield { ...envelope(completion, 'chat.completion.chunk'), choices: [], usage: completion.usage };
  }
}
