/** A recorded request with its answer. */
export interface RecordedStep {
  request: RecordedRequest;
  answer: RecordedAnswer;
}

export interface RecordedRequest {
  messages: { role: string; content: string | null }[];
  tools?: { function: { name: string } }[];
}

export interface RecordedCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface RecordedAnswer {
  text?: string;
  tool_calls?: RecordedCall[];
  /** The results of the calls. */
  results?: string[];
}

/** An answer in today's form, with the recorded results of its calls. */
interface PlayedAnswer {
  text?: string;
  calls: RecordedCall[];
  recorded: string[];
}

/** The tail of a request names matching prompts and the schemas, so that a list of all of them adds nothing. */
const isNamedAlready = ({ name, arguments: args }: RecordedCall) =>
  /^list_(schemas|prompts)$/.test(name) && Object.keys(args).length === 0;
/** A request names the reason for each page without text. */
const isSaidToBeEmpty = ({ name, arguments: args }: RecordedCall, pages: readonly string[]) =>
  name === 'get_ocr_text' && pages[Number(args['page_num']) - 1]?.trim() === '';
const unneeded = /^(help_|validate_schema$)/;
type Json = Record<string, unknown>;

/**
 * The answers of a turn with today's tools: without help and without checks that run automatically, with single changes in place
 * of a whole schema, and with the extraction in the answer that makes the change.
 */
export function economical(answers: readonly RecordedAnswer[], pages: readonly string[] = []): PlayedAnswer[] {
  const played: PlayedAnswer[] = [];
  let known: Json | undefined;
  let isRelinked = false;
  for (const { text, tool_calls = [], results = [] } of answers) {
    const calls: RecordedCall[] = [];
    const recorded: string[] = [];
    for (const [at, call] of tool_calls.entries()) {
      if (unneeded.test(call.name) || isNamedAlready(call) || isSaidToBeEmpty(call, pages)) continue;
      const format = formatOf(call);
      const isRelink =
        call.name === 'update_prompt' && Object.keys(call.arguments).toSorted().join() === 'prompt_id,schema_id';
      if (isRelink && isRelinked) continue;
      const changes =
        call.name === 'update_schema' && format !== undefined && known !== undefined
          ? changesOf(known, format)
          : undefined;
      if (format !== undefined) known = format;
      if (changes !== undefined && changes.length > 0) {
        isRelinked = true;
        calls.push({
          name: 'edit_schema',
          arguments: { schema_id: call.arguments['schema_id'], changes, relink_prompts: true },
        });
      } else if (call.name === 'run_extraction') calls.push({ name: 'run_extraction', arguments: {} });
      else calls.push(call);
      recorded.push(results[at] ?? '');
    }
    if (tool_calls.length > 0 && calls.length === 0) continue;
    const last = played.at(-1);
    const follows = calls.length > 0 && calls.every(({ name }) => name === 'run_extraction');
    if (
      follows &&
      last !== undefined &&
      last.calls.some(({ name }) => /^(create_prompt|update_prompt|edit_schema)$/.test(name))
    ) {
      last.calls.push(...calls);
      last.recorded.push(...recorded);
    } else played.push({ ...(text !== undefined && { text }), calls, recorded });
  }
  return played;
}

function formatOf({ name, arguments: args }: RecordedCall): Json | undefined {
  if (name !== 'create_schema' && name !== 'update_schema') return undefined;
  const { json_schema } = (args['response_format'] ?? {}) as { json_schema?: { schema?: Json } };
  return json_schema?.schema;
}

/** The outermost fields that differ between two schemas, as changes. */
function changesOf(before: Json, after: Json): Json[] {
  const [old, now] = [before['properties'] as Json, after['properties'] as Json];
  const removed = Object.keys(old).filter((name) => !(name in now));
  return [
    ...removed.map((path) => ({ op: 'remove', path })),
    ...Object.entries(now).flatMap(([path, definition]) => {
      if (!(path in old)) return [{ op: 'add', path, definition }];
      return JSON.stringify(old[path]) === JSON.stringify(definition) ? [] : [{ op: 'set', path, definition }];
    }),
  ];
}

/** Maps each id of `before` to the id at the same place of `now`. */
export function idsAlike(before: string, now: string, ids: Map<string, string>): void {
  const [one, other] = [parsed(before), parsed(now)];
  walk(one, other, ids);
}

function walk(one: unknown, other: unknown, ids: Map<string, string>): void {
  if (typeof one === 'string' && typeof other === 'string') {
    if (/^[0-9a-f]{24}$/.test(one) && /^[0-9a-f]{24}$/.test(other)) ids.set(one, other);
    return;
  }
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return;
  for (const [key, value] of Object.entries(one)) walk(value, (other as Json)[key], ids);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
