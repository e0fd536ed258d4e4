import type { Answer, Call, Token } from './call.ts';
import { furtherTools, readConversation, type Conversation } from './plan/conversation.ts';
import { nextStep } from './plan/plan.ts';
import { planFor } from './plan-for.ts';
import type { ChatRequest } from './server/chat-request.ts';
import { documentOf, type DocumentText, readDocument } from './page/document-text.ts';
import { proposeSchema } from './propose/propose-schema.ts';
import { fillSchema } from './fill/fill-schema.ts';
import type { JsonSchema } from './fill/json-schema.ts';

/** A tool that is offered as a line of another one is called by that. */
function asOffered({ text, calls }: Answer, { tools }: ChatRequest): Answer {
  const whole = new Set(tools?.map((tool) => tool.function.name));
  const made = calls.map((call) =>
    whole.has(call.name) ? call : { name: furtherTools, arguments: { name: call.name, arguments: call.arguments } },
  );
  return { text, calls: made };
}

/** Decides which rules answer a request: filling a schema, or taking the next step of a conversation. */
export function answerRequest(request: ChatRequest): Answer {
  const format = request.response_format;
  if (format && format.type !== 'text') return answerExtraction(request, format);
  const conversation = readConversation(request);
  const answer = asOffered(nextStep(planFor(conversation), conversation), request);
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'auto' || choice === 'none') return answer;
  const wanted =
    choice === 'required' ? answer.calls : answer.calls.filter(({ name }) => name === choice.function.name);
  const forced = wanted.length > 0 ? wanted : [forcedCall(request, conversation)].filter((call) => call !== undefined);
  return { text: wanted.length > 0 ? answer.text : '', calls: forced };
}

type JsonFormat = Exclude<NonNullable<ChatRequest['response_format']>, { type: 'text' }>;

const refusal = 'The answer does not fit the schema:';
const noDocument: DocumentText = documentOf('', []);

/** The answer to a JSON request: the filled schema, or the fields found when no schema is given. */
function answerExtraction({ messages }: ChatRequest, format: JsonFormat): Answer {
  const carrier = messages.findLast(({ role, content }) => role === 'user' && !content.startsWith(refusal));
  const document = readDocument(carrier?.content ?? '', 'last') ?? noDocument;
  const schema =
    format.type === 'json_schema' ? (format.json_schema.schema as JsonSchema) : proposeSchema(document).schema;
  const refused =
    messages.findLast(({ role, content }) => role === 'user' && content.startsWith(refusal))?.content ?? '';
  const { value, probabilities } = fillSchema(withoutBeside(schema), document, refusedPaths(refused));
  const tokens = [...jsonTokens({ ...(value as object), ...emptyBeside(schema) }, probabilities)];
  return { text: tokens.map(({ text }) => text).join(''), calls: [], tokens };
}

/** JSON as `JSON.stringify` writes it, each value in a token of its own; what has no probability is certain. */
function* jsonTokens(value: unknown, probabilities: ReadonlyMap<string, number>, path = ''): Generator<Token> {
  const inside = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
  const certain = (text: string): Token => ({ text, probability: 1 });
  if (Array.isArray(value)) {
    yield certain('[');
    for (const [index, entry] of value.entries()) {
      if (index > 0) yield certain(',');
      yield* jsonTokens(entry, probabilities, inside(index));
    }
    yield certain(']');
  } else if (typeof value === 'object' && value !== null) {
    for (const [index, [key, entry]] of Object.entries(value).entries()) {
      yield certain(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
      yield* jsonTokens(entry, probabilities, inside(key));
    }
    yield certain(Object.keys(value).length === 0 ? '{}' : '}');
  } else yield { text: JSON.stringify(value), probability: probabilities.get(path) ?? 1 };
}

/** What a request asks for beside the values of the schema (doubts, words) is no value: the rules have nothing to say there. */
const isBeside = (field: JsonSchema) => field.description?.startsWith('Beside the result:') === true;

function withoutBeside(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema.properties ?? {}).filter(([, field]) => !isBeside(field));
  if (kept.length === Object.keys(schema.properties ?? {}).length) return schema;
  return { ...schema, properties: Object.fromEntries(kept), required: kept.map(([name]) => name) };
}

function emptyBeside(schema: JsonSchema): Record<string, unknown[]> {
  const asked = Object.entries(schema.properties ?? {}).filter(([, field]) => isBeside(field));
  return Object.fromEntries(asked.map(([name]) => [name, []]));
}

/** The paths in a refusal, one a line, as `line_items.0.amount` or `/line_items/0/amount` before the message. */
function refusedPaths(refused: string): Set<string> {
  const paths = refused
    .split('\n')
    .slice(1)
    .map((line) => /^[-\s]*\/?(?<path>[\p{L}\d_./-]+)\s*:/u.exec(line)?.groups?.path ?? '');
  return new Set(paths.map((path) => path.replaceAll('/', '.').replace(/[.:]$/u, '')).filter((path) => path !== ''));
}

/** The call that `tool_choice` demands when the plan makes none: required arguments are filled from the page. */
function forcedCall(request: ChatRequest, conversation: Conversation): Call | undefined {
  const choice = request.tool_choice;
  const tools = request.tools ?? [];
  const tool =
    typeof choice === 'object' && choice !== null
      ? tools.find(({ function: { name } }) => name === choice.function.name)
      : tools[0];
  if (!tool) return undefined;
  const parameters = (tool.function.parameters ?? {}) as JsonSchema;
  const required = Object.entries(parameters.properties ?? {}).filter(([name]) => parameters.required?.includes(name));
  const schema: JsonSchema = { ...parameters, type: 'object', properties: Object.fromEntries(required) };
  const filled = fillSchema(schema, conversation.document ?? documentOf('', []));
  return { name: tool.function.name, arguments: filled.value as Record<string, unknown> };
}
