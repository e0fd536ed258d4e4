import type { ChatRequest } from './server/chat-request.ts';
import { documentOf, type DocumentText, readDocument } from './page/document-text.ts';
import { proposeSchema } from './propose/propose-schema.ts';
import { fillSchema } from './fill/fill-schema.ts';
import type { JsonSchema } from './fill/json-schema.ts';

type JsonFormat = Exclude<NonNullable<ChatRequest['response_format']>, { type: 'text' }>;

const refusal = 'The answer does not fit the schema:';
const noDocument: DocumentText = documentOf('', []);

/** The JSON text for a JSON request: the filled schema, or the fields found when no schema is given. */
export function answerExtraction({ messages }: ChatRequest, format: JsonFormat): string {
  const carrier = messages.findLast(({ role, content }) => role === 'user' && !content.startsWith(refusal));
  const document = readDocument(carrier?.content ?? '', 'last') ?? noDocument;
  const schema =
    format.type === 'json_schema' ? (format.json_schema.schema as JsonSchema) : proposeSchema(document).schema;
  const refused =
    messages.findLast(({ role, content }) => role === 'user' && content.startsWith(refusal))?.content ?? '';
  return JSON.stringify({ ...filledValues(schema, document, refused), ...emptyBeside(schema) });
}

function filledValues(schema: JsonSchema, document: DocumentText, refused: string): object {
  return fillSchema(withoutBeside(schema), document, refusedPaths(refused)).value as object;
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
