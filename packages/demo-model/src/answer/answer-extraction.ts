import { fillSchema } from '../fill/fill-schema.ts';
import type { FieldSchema } from '../fill/schema/json-schema.ts';
import { emptyDocument, readDocument } from '../page/document-text.ts';
import { proposeSchema } from '../propose/propose-schema.ts';
import type { Answer, Token } from '../protocol/answer.ts';
import type { CompletionRequest } from '../protocol/chat-request.ts';

type JsonFormat = Exclude<NonNullable<CompletionRequest['response_format']>, { type: 'text' }>;

/** The start of the message with which the product sends back an answer that does not fit the schema. */
const repairRequest = 'The answer does not fit the schema:';

/** Answers a JSON request: fills its schema or, without one, a schema that is proposed for the page. */
export function answerExtraction({ messages }: CompletionRequest, format: JsonFormat): Answer {
  const userMessages = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const request = userMessages.findLast((content) => !content.startsWith(repairRequest)) ?? '';
  const repair = userMessages.findLast((content) => content.startsWith(repairRequest)) ?? '';
  const document = readDocument(request, 'last') ?? emptyDocument;
  const schema =
    format.type === 'json_schema' ? (format.json_schema.schema as FieldSchema) : proposeSchema(document).schema;
  const { value, probabilities } = fillSchema(withoutRemarks(schema), document, invalidPaths(repair));
  const tokens = [...jsonTokens({ ...(value as object), ...emptyRemarks(schema) }, probabilities)];
  return { text: tokens.map(({ text }) => text).join(''), calls: [], tokens };
}

/** The paths in a repair request, one a line, as `line_items.0.amount` or `/line_items/0/amount` before the message. */
function invalidPaths(repair: string): Set<string> {
  const paths = repair
    .split('\n')
    .slice(1)
    .map((line) => /^[-\s]*\/?(?<path>[\p{L}\d_./-]+)\s*:/u.exec(line)?.groups?.path ?? '');
  return new Set(paths.map((path) => path.replaceAll('/', '.').replace(/[.:]$/u, '')).filter((path) => path !== ''));
}

/** Some properties ask a model for remarks about its own result, such as its doubts. The rules have no remarks. */
const isRemark = (field: FieldSchema) => field.description?.startsWith('Beside the result:') === true;

function withoutRemarks(schema: FieldSchema): FieldSchema {
  const kept = Object.entries(schema.properties ?? {}).filter(([, field]) => !isRemark(field));
  if (kept.length === Object.keys(schema.properties ?? {}).length) return schema;
  return { ...schema, properties: Object.fromEntries(kept), required: kept.map(([name]) => name) };
}

function emptyRemarks(schema: FieldSchema): Record<string, unknown[]> {
  const remarks = Object.entries(schema.properties ?? {}).filter(([, field]) => isRemark(field));
  return Object.fromEntries(remarks.map(([name]) => [name, []]));
}

/** JSON as `JSON.stringify` writes it, with each value in its own token. A value without a probability is certain. */
function* jsonTokens(value: unknown, probabilities: ReadonlyMap<string, number>, path = ''): Generator<Token> {
  const pathOf = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
  const certain = (text: string): Token => ({ text, probability: 1 });
  if (Array.isArray(value)) {
    yield certain('[');
    for (const [index, entry] of value.entries()) {
      if (index > 0) yield certain(',');
      yield* jsonTokens(entry, probabilities, pathOf(index));
    }
    yield certain(']');
  } else if (typeof value === 'object' && value !== null) {
    for (const [index, [key, entry]] of Object.entries(value).entries()) {
      yield certain(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
      yield* jsonTokens(entry, probabilities, pathOf(key));
    }
    yield certain(Object.keys(value).length === 0 ? '{}' : '}');
  } else yield { text: JSON.stringify(value), probability: probabilities.get(path) ?? 1 };
}
