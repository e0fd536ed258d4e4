import { parseBoundedJson } from '../llm/json-bounds.ts';
import type { LlmMessage } from '../llm/llm-client.ts';

/** Messages that are kept or omitted together: a single one, or an assistant message with the results of its calls. */
export type MessageGroup = readonly LlmMessage[];

/** Maximum length of all messages. Long results are shortened before whole messages are omitted. */
const maxCharacters = 80_000;
/** Number of newest exchanges that are never shortened. */
const unshortenedExchanges = 2;
const idPattern = /\b[0-9a-f]{24}\b/g;
const goalCharacters = 1000;
const lineCharacters = 300;

/** A history as it is sent, with what it leaves out. */
export interface TrimmedHistory {
  readonly messages: LlmMessage[];
  /** The messages that are omitted or shortened, as they were. */
  readonly leftOut: LlmMessage[];
}

/**
 * Trims a history to at most `limit` messages. Beyond the limit it is cut to half at once, so that requests keep the same
 * beginning for many rounds and endpoints can cache it. A note replaces omitted messages, with a line for each; it
 * preserves the user's words, every decision and every id. Results that can be read again are shortened first.
 */
export function trimHistory(exchanges: readonly MessageGroup[], limit: number): TrimmedHistory {
  const kept = [...exchanges];
  let from = 0;
  for (const at of exchanges.keys()) {
    const window = () => kept.slice(from, at + 1);
    if (isWithin(window(), from === 0 ? limit : limit - 1, maxCharacters)) continue;
    for (let each = from; each <= at - unshortenedExchanges; each++) kept[each] = shortenExchange(kept, each, at);
    if (isWithin(window(), from === 0 ? limit : limit - 1, maxCharacters)) continue;
    while (from < at && !isWithin(window(), Math.max(1, Math.floor(limit / 2)), maxCharacters / 2)) from++;
  }
  const omitted = exchanges.slice(0, from).flat();
  return {
    messages: [
      ...(omitted.length === 0 || limit < 2 ? [] : [omissionNote(exchanges.slice(0, from))]),
      ...kept.slice(from).flat(),
    ],
    leftOut: exchanges.flatMap((exchange, at) => (at < from || kept[at] !== exchange ? exchange : [])),
  };
}

/** Whether a message is the note that replaces omitted ones: no person has written it. */
export function isOmissionNote({ role, content }: LlmMessage): boolean {
  return role === 'user' && /^\[\d+ earlier messages left out:\n/u.test(content);
}

function isWithin(exchanges: readonly MessageGroup[], messages: number, characters: number): boolean {
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

/** Shortens the long parts of an exchange that can be read again, or that exchanges up to `until` have superseded. */
function shortenExchange(exchanges: readonly MessageGroup[], at: number, until: number): MessageGroup {
  const [first, ...answers] = exchanges[at] ?? [];
  if (first?.role !== 'assistant' || first.toolCalls === undefined) return exchanges[at] ?? [];
  const later = exchanges.slice(at + 1, until + 1).flat();
  const isRepeated = (names: RegExp) =>
    later.some((message) => message.role === 'assistant' && message.toolCalls?.some(({ name }) => names.test(name)));
  const canBeShortened = ({ name }: { name: string }) =>
    canBeReadAgain.test(name) ||
    (holdsSchema.test(name) && isRepeated(writesSchema)) ||
    (holdsResult.test(name) && isRepeated(holdsResult));
  const shortened = new Set(first.toolCalls.filter(canBeShortened).map(({ id }) => id));
  if (shortened.size === 0) return exchanges[at] ?? [];
  const toolCalls = first.toolCalls.map((call) =>
    shortened.has(call.id) && call.arguments.length > lineCharacters
      ? { ...call, arguments: JSON.stringify({ shortened: summarizeJson(call.arguments) }) }
      : call,
  );
  const results = answers.map((answer) =>
    answer.role === 'tool' && shortened.has(answer.callId) && answer.content.length > lineCharacters
      ? { ...answer, content: JSON.stringify({ shortened: summarizeJson(answer.content) }) }
      : answer,
  );
  return [{ ...first, toolCalls }, ...results];
}

/** The note that replaces omitted messages. */
function omissionNote(exchanges: readonly MessageGroup[]): LlmMessage {
  const count = exchanges.flat().length;
  const lines = exchanges.flatMap(linesOf);
  return { role: 'user', content: `[${count} earlier messages left out:\n${lines.join('\n')}]` };
}

function linesOf(exchange: MessageGroup): string[] {
  const [first, ...answers] = exchange;
  if (first === undefined) return [];
  if (first.role !== 'assistant') return [`- Person: ${truncate(first.content, goalCharacters)}`];
  const text =
    first.content.trim() === ''
      ? []
      : [`- Agent: ${appendLostIds(truncate(first.content, lineCharacters), first.content)}`];
  const calls = (first.toolCalls ?? []).map((call) => {
    const result = answers.find((answer) => answer.role === 'tool' && answer.callId === call.id)?.content ?? '';
    return `- ${call.name}(${summarizeJson(call.arguments)}) → ${summarizeJson(result)}`;
  });
  return [...text, ...calls];
}

const keptKeys = /(^|_)(id|revid|version|name|error|status|path|value|op)$/;
const maxPhrases = 40;

/** Summarizes a JSON text in one line: ids, names, versions, errors, answers. Other text is only truncated. */
function summarizeJson(text: string): string {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch {
    return appendLostIds(truncate(text, goalCharacters), text);
  }
  const found: string[] = [];
  const visit = (each: unknown, key: string): void => {
    if (found.length >= maxPhrases) return;
    if (typeof each === 'object' && each !== null) {
      for (const [name, child] of Object.entries(each)) visit(child, Array.isArray(each) ? key : name);
    } else if (keptKeys.test(key) || /^(label|other|shortened|reason)$/.test(key)) {
      found.push(`${key}: ${truncate(String(each), lineCharacters)}`);
    }
  };
  visit(value, '');
  return appendLostIds(found.join(', '), text);
}

/** Appends the ids of a text that its summary has lost. */
function appendLostIds(line: string, text: string): string {
  const lost = [...new Set(text.match(idPattern) ?? [])].filter((id) => !line.includes(id));
  return lost.length === 0 ? line : `${line}${line === '' ? '' : ' '}[ids: ${lost.join(', ')}]`;
}

function truncate(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}
