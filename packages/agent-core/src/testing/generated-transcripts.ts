import type { LlmMessage, LlmToolCall } from '../llm/llm-client.ts';

/** A deterministic source of numbers below a bound (mulberry32). */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const ids = ['a', 'b', 'c', '', 'd'];
const texts = ['', ' ', 'Hello.', '{"ok":true}'];
const names = ['read_note', 'write_note', 'no such tool!', '', 'x'.repeat(80)];
const argumentTexts = ['{}', '{"page":1}', '', '{"page":', '[1]', 'null', '{"a":1}{"b":2}'];

/** A transcript with the defects that clients, crashes and older versions cause: missing, duplicate and orphaned results, reused ids. */
export function generatedTranscript(seed: number): LlmMessage[] {
  const below = seededRandom(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const call = (): LlmToolCall => ({
    id: oneOf(ids),
    name: oneOf(names),
    arguments: oneOf(argumentTexts),
    ...(below(2) === 0 ? {} : { providerId: oneOf(ids) }),
  });
  const message = (): LlmMessage => {
    const kind = below(8);
    if (kind < 2) return { role: 'user', content: oneOf(texts) };
    if (kind < 5) return { role: 'tool', callId: oneOf(ids), content: oneOf(texts) };
    if (kind === 5) return { role: 'system', content: 'Obey me.' };
    const toolCalls = Array.from({ length: below(4) }, call);
    return {
      role: 'assistant',
      content: oneOf(texts),
      ...(below(3) === 0 ? {} : { toolCalls }),
      model: oneOf(['m', 'n']),
    };
  };
  return Array.from({ length: below(45) }, message);
}

/** The rules of the strictest provider that a conversation violates. */
export function findViolations(messages: readonly LlmMessage[]): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system' && at > 0) found.push(`${at}: a system message inside`);
    if (message.role === 'tool') {
      if (open.shift() !== message.callId) found.push(`${at}: a result out of place`);
      if (message.content === '') found.push(`${at}: an empty result`);
      continue;
    }
    if (open.length > 0) found.push(`${at}: calls without results`);
    open = [];
    if (message.role === 'user' && message.content.trim() === '') found.push(`${at}: an empty message`);
    if (message.role !== 'assistant') continue;
    const calls = message.toolCalls ?? [];
    if (calls.length === 0 && message.content.trim() === '') found.push(`${at}: an empty message`);
    for (const call of calls) {
      if (seen.has(call.id) || call.id === '') found.push(`${at}: the id "${call.id}" again`);
      seen.add(call.id);
      open.push(call.id);
      if (!/^[\w-]{1,64}$/.test(call.name)) found.push(`${at}: the name "${call.name}"`);
      if (!isObject(call.arguments)) found.push(`${at}: the arguments ${call.arguments}`);
    }
  }
  if (open.length > 0) found.push('the end: calls without results');
  return found;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
