import type { ProviderKind, RequestPart } from '@docwright/contract';
import type { LlmMessage, LlmRequest, LlmTool } from '../llm-client.ts';
import { toWireMessages, type WireMessage } from './message-conversion.ts';
import { dialectOf, type ProviderDialect } from './provider-dialect.ts';
import { reasoningFormOf } from './reasoning-form.ts';

/** The JSON of each list of tools: an agent's tools are the same in every round. */
const toolTexts = new WeakMap<readonly LlmTool[], string>();
const cacheMark = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The JSON body of a streamed chat completion. The parts that stay the same between requests come first, so that endpoints
 * can cache them: tools, system message, history. `refused` are the features that this endpoint has refused.
 */
export function completionRequest(
  request: LlmRequest,
  baseUrl: string,
  kind?: ProviderKind,
  refused: ReadonlySet<RequestPart> = new Set(),
): string {
  const { model, tools, temperature } = request;
  const dialect = dialectOf(baseUrl, model, kind);
  const thinking = reasoningFormOf(request, dialect, refused);
  // A model that thinks refuses both.
  const isThinking = thinking !== undefined && request.reasoning !== 'off';
  const takesTemperature = dialect.takesTemperature && !isThinking && !refused.has('temperature');
  const format = formatOf(request, dialect, refused);
  const given = refused.has('images') ? request.messages.map(withoutImages) : request.messages;
  const converted = toWireMessages(withSchema(given, format.schemaInPrompt), model, dialect);
  const writesTools = refused.has('tools') && tools !== undefined && tools.length > 0;
  const messages = writesTools ? withWrittenTools(converted, tools) : converted;
  const isMarked = dialect.wantsCacheMarks && !refused.has('cache_control');
  const tail = messages.length > 1 && messages.at(-1)?.role === 'system' ? messages.length - 1 : messages.length;
  if (messages[tail] !== undefined && (dialect.tailRole === 'user' || refused.has('system_tail')))
    sendAsUser(messages[tail]);
  const body = withoutUnseen({
    messages: isMarked ? withCacheMarks(messages, tail) : messages,
    ...(format.response_format === undefined ? {} : { response_format: format.response_format }),
    ...(temperature === undefined || !takesTemperature ? {} : { temperature }),
    ...(request.logprobs === true && !isThinking && !refused.has('logprobs') && { logprobs: true }),
    ...thinking?.fields,
    stream: true,
    ...(!refused.has('stream_options') && { stream_options: { include_usage: true } }),
  });
  const head = `{"model":${JSON.stringify(model)}`;
  if (writesTools || tools === undefined || tools.length === 0) return `${head},${body.slice(1)}`;
  return `${head},"tools":${isMarked ? JSON.stringify(withLastMarked(tools)) : textOfTools(tools)},${body.slice(1)}`;
}

/**
 * Letters that nobody sees and that models read: tags of Unicode, which spell ASCII, and variation selectors in a row, which spell bytes. A
 * single selector behind a sign chooses its look.
 */
const unseen = /[\u{e0000}-\u{e007f}]+|[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]{2,}/gu;

const withoutUnseen = (body: object): string => JSON.stringify(body).replace(unseen, '');

/** Sends the tail with the role `user`. Its first line names the real author. */
function sendAsUser(tail: WireMessage): void {
  tail.role = 'user';
  tail.content = `[From Docwright, not from the person: where things stand]\n${textOf(tail) ?? ''}`;
}

/** Marks the end of the system message and of the history for the endpoint's cache. */
function withCacheMarks(messages: readonly WireMessage[], tail: number): WireMessage[] {
  const last = messages.findLastIndex((message, at) => at < tail && at > 0 && textOf(message) !== undefined);
  return messages.map((message, at) => {
    const text = textOf(message);
    const ends = at === last || (at === 0 && message.role === 'system');
    return ends && text !== undefined ? { ...message, content: [{ type: 'text', text, ...cacheMark }] } : message;
  });
}

function textOf({ content }: WireMessage): string | undefined {
  return typeof content === 'string' && content.trim() !== '' ? content : undefined;
}

function withLastMarked(tools: readonly LlmTool[]): unknown[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, ...cacheMark } : tool));
}

interface ChosenFormat {
  response_format?: unknown;
  /** The schema to add to the prompt, if the endpoint does not enforce it. */
  schemaInPrompt?: unknown;
}

function formatOf(
  { responseFormat }: LlmRequest,
  { schemas }: ProviderDialect,
  refused: ReadonlySet<RequestPart>,
): ChosenFormat {
  const schema = schemaIn(responseFormat);
  const isRefused = refused.has('response_format');
  if (responseFormat === undefined) return {};
  if (schema === undefined) return isRefused || schemas === 'text' ? {} : { response_format: responseFormat };
  if (schemas === 'strict' && !isRefused) return { response_format: responseFormat };
  if (schemas === 'json_object' && !isRefused)
    return { response_format: { type: 'json_object' }, schemaInPrompt: schema };
  return { schemaInPrompt: schema };
}

function schemaIn(responseFormat: unknown): unknown {
  const { json_schema } = (responseFormat ?? {}) as { json_schema?: { schema?: unknown } };
  return json_schema?.schema;
}

function withSchema(messages: readonly LlmMessage[], schema: unknown): readonly LlmMessage[] {
  const [first, ...rest] = messages;
  if (schema === undefined || first?.role !== 'system') return messages;
  const asked = `Answer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
  return [{ ...first, content: `${first.content}\n${asked}` }, ...rest];
}

function withoutImages(message: LlmMessage): LlmMessage {
  if ((message.role !== 'user' && message.role !== 'tool') || (message.images?.length ?? 0) === 0) return message;
  const { images = [], ...rest } = message;
  // The result of the tool that attached them says that they were shown.
  const content = rest.role === 'tool' ? rest.content.replace('"shown":true', '"shown":false') : rest.content;
  return {
    ...rest,
    content: `${content}\n[${images.length} image(s) left out: this model cannot see them]`.trim(),
  };
}

function textOfTools(tools: readonly LlmTool[]): string {
  const known = toolTexts.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify(tools);
  toolTexts.set(tools, text);
  return text;
}

/**
 * The messages for a model whose server takes no `tools`: the tools are in the system message, calls and results are
 * text. `writtenCalls` reads the calls of the answer.
 */
function withWrittenTools(messages: readonly WireMessage[], tools: readonly LlmTool[]): WireMessage[] {
  const [first, ...rest] = messages;
  if (first === undefined) return [];
  const described = tools.map((tool) => JSON.stringify(tool.function)).join('\n');
  const rules = `You can call these tools, one a line:\n${described}\nTo call a tool, end your answer with <tool_call>{"name": …, "arguments": {…}}</tool_call>, several times for several calls. The results come in the next message.`;
  const system: WireMessage =
    first.role === 'system'
      ? { ...first, content: `${plainText(first)}\n\n${rules}` }
      : { role: 'system', content: rules };
  return [system, ...(first.role === 'system' ? rest : messages).map(writtenMessage)];
}

/** A result can neither end its own mark nor hold one of a call: documents can dictate it. */
const toolMark = new RegExp(
  `<(?=[\\s/\\p{Cf}\\p{Mn}\\u{e0000}-\\u{e007f}]*${Array.from('tool').join('[\\p{Cf}\\p{Mn}\\u{e0000}-\\u{e007f}]*')})`,
  'giu',
);

function writtenMessage({ tool_calls, tool_call_id: _answered, ...message }: WireMessage): WireMessage {
  if (message.role === 'tool') {
    const result = plainText(message).replace(toolMark, '‹');
    return { role: 'user', content: `<tool_response>${result}</tool_response>` };
  }
  if (tool_calls === undefined) return message;
  const calls = tool_calls.map(
    ({ function: { name, arguments: args } }) =>
      `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${args}}</tool_call>`,
  );
  return { ...message, content: [plainText(message), ...calls].filter((line) => line !== '').join('\n') };
}

function plainText({ content }: WireMessage): string {
  return typeof content === 'string' ? content : '';
}
