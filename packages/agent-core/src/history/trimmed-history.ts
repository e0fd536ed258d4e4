import type { LlmMessage } from '../llm/llm-client.ts';

/** Messages that stay or go together: one alone, or an assistant message with its calls' results. */
export type Exchange = readonly LlmMessage[];

/** Of all messages together; long results are shortened before whole messages are left out. */
const maxCharacters = 80_000;
/** The newest exchanges, which are never shortened. */
const untouched = 2;
const idPattern = /\b[0-9a-f]{24}\b/g;
const goalCharacters = 1000;
const lineCharacters = 300;

/**
 * What is sent of a long history: at most `limit` messages. Where it grows beyond that, it is cut down to half at once,
 * so that what is sent begins the same for many rounds. What is left out is named, a line for each message: the person's
 * words, every decision and every id stay. Results that can be read again are the first to become a line.
 */
export function trimmed(exchanges: readonly Exchange[], limit: number): LlmMessage[] {
  const kept = [...exchanges];
  let from = 0;
  for (const at of exchanges.keys()) {
    const window = () => kept.slice(from, at + 1);
    if (isWithin(window(), from === 0 ? limit : limit - 1, maxCharacters)) continue;
    for (let each = from; each <= at - untouched; each++) kept[each] = shortened(kept, each, at);
    if (isWithin(window(), from === 0 ? limit : limit - 1, maxCharacters)) continue;
    while (from < at && !isWithin(window(), Math.max(1, Math.floor(limit / 2)), maxCharacters / 2)) from++;
  }
  const omitted = exchanges.slice(0, from).flat();
  return [...(omitted.length === 0 || limit < 2 ? [] : [noteOf(exchanges.slice(0, from))]), ...kept.slice(from).flat()];
}

function isWithin(exchanges: readonly Exchange[], messages: number, characters: number): boolean {
  const flat = exchanges.flat();
  return flat.length <= messages && flat.reduce((sum, message) => sum + lengthOf(message), 0) <= characters;
}

function lengthOf(message: LlmMessage): number {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return message.content.length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
}

const canBeReadAgain = /^(help_|get_ocr_text$|view_page$|list_|validate_)/;
const writesSchema = /^(create|update|edit)_schema$/;
const holdsSchema = /^(create_schema|update_schema|get_schema|validate_schema)$/;
const holdsResult = /^(run_extraction|get_extraction_result)$/;

/** An exchange whose long parts can be read again or have been superseded by `until`, each as a line in its place. */
function shortened(exchanges: readonly Exchange[], at: number, until: number): Exchange {
  const [first, ...answers] = exchanges[at] ?? [];
  if (first?.role !== 'assistant' || first.toolCalls === undefined) return exchanges[at] ?? [];
  const later = exchanges.slice(at + 1, until + 1).flat();
  const isRepeated = (names: RegExp) =>
    later.some((message) => message.role === 'assistant' && message.toolCalls?.some(({ name }) => names.test(name)));
  const isOver = ({ name }: { name: string }) =>
    canBeReadAgain.test(name) ||
    (holdsSchema.test(name) && isRepeated(writesSchema)) ||
    (holdsResult.test(name) && isRepeated(holdsResult));
  const over = new Set(first.toolCalls.filter(isOver).map(({ id }) => id));
  const toolCalls = first.toolCalls.map((call) =>
    over.has(call.id) && call.arguments.length > lineCharacters
      ? { ...call, arguments: JSON.stringify({ shortened: essence(call.arguments) }) }
      : call,
  );
  const results = answers.map((answer) =>
    answer.role === 'tool' && over.has(answer.callId) && answer.content.length > lineCharacters
      ? { ...answer, content: JSON.stringify({ shortened: essence(answer.content) }) }
      : answer,
  );
  return [{ ...first, toolCalls }, ...results];
}

/** What was left out, as one message of its own at the beginning. */
function noteOf(exchanges: readonly Exchange[]): LlmMessage {
  const count = exchanges.flat().length;
  const lines = exchanges.flatMap(linesOf);
  return { role: 'user', content: `[${count} earlier messages left out:\n${lines.join('\n')}]` };
}

function linesOf(exchange: Exchange): string[] {
  const [first, ...answers] = exchange;
  if (first === undefined) return [];
  if (first.role !== 'assistant') return [`- Person: ${cut(first.content, goalCharacters)}`];
  const said =
    first.content.trim() === '' ? [] : [`- Agent: ${withIds(cut(first.content, lineCharacters), first.content)}`];
  const calls = (first.toolCalls ?? []).map((call) => {
    const result = answers.find((answer) => answer.role === 'tool' && answer.callId === call.id)?.content ?? '';
    return `- ${call.name}(${essence(call.arguments)}) → ${essence(result)}`;
  });
  return [...said, ...calls];
}

const telling = /(^|_)(id|revid|version|name|error|status|path|value|op)$/;
const maxPhrases = 40;

/** The essence of a JSON text in one line: ids, names, versions, errors, answers; a plain sentence as it is. */
function essence(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return withIds(cut(text, goalCharacters), text);
  }
  const found: string[] = [];
  const visit = (each: unknown, key: string): void => {
    if (found.length >= maxPhrases) return;
    if (typeof each === 'object' && each !== null) {
      for (const [name, child] of Object.entries(each)) visit(child, Array.isArray(each) ? key : name);
    } else if (telling.test(key) || /^(label|other|shortened|reason)$/.test(key)) {
      found.push(`${key}: ${cut(String(each), lineCharacters)}`);
    }
  };
  visit(value, '');
  return withIds(found.join(', '), text);
}

/** A line with the ids that its text had and the line lost. */
function withIds(line: string, text: string): string {
  const lost = [...new Set(text.match(idPattern) ?? [])].filter((id) => !line.includes(id));
  return lost.length === 0 ? line : `${line}${line === '' ? '' : ' '}[ids: ${lost.join(', ')}]`;
}

function cut(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}
