import type { AnswerToken } from '@docwright/agent-core';

/** Smaller doubts are left out. */
const minDoubt = 0.05;
const maxValues = 10_000;

/**
 * The model's doubt in the values of its answer, by path: 1 minus the lowest probability of a value's tokens. `text` is
 * JSON, with or without words around it. Only paths below `prefix` are returned, without the prefix.
 *
 * @example valueDoubts('{"a":5}', [{ length: 5, probability: 1 }, { length: 2, probability: 0.4 }]) // { a: 0.6 }
 */
export function valueDoubts(text: string, tokens: readonly AnswerToken[], prefix = ''): Record<string, number> {
  const doubts: Record<string, number> = {};
  let [token, end] = [-1, 0];
  let count = 0;
  for (const { path, from, to } of valuePlaces(text)) {
    if (!path.startsWith(prefix) || (count += 1) > maxValues) continue;
    while (end <= from && token + 1 < tokens.length) end += tokens[(token += 1)]!.length;
    let lowest = 1;
    // The last token can be the first of the next value.
    for (let at = token, reached = end; at < tokens.length; reached += tokens[(at += 1)]?.length ?? 0) {
      if (at >= 0) lowest = Math.min(lowest, tokens[at]!.probability ?? 1);
      if (reached >= to) break;
    }
    if (1 - lowest >= minDoubt) doubts[path.slice(prefix.length)] = Math.round((1 - lowest) * 1000) / 1000;
  }
  return doubts;
}

interface ValuePlace {
  path: string;
  /** The range of characters in the text; of a string without its quotes. */
  from: number;
  to: number;
}

interface Container {
  path: string;
  isList: boolean;
  /** The key or index of the next value. */
  key: string | number | undefined;
}

/** The range of each string, number, boolean and null in a JSON text. */
function* valuePlaces(text: string): Generator<ValuePlace, void, undefined> {
  // Sticky: an unterminated string ends the search, which would otherwise take quadratic time.
  const lexeme = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/uy;
  lexeme.lastIndex = Math.max(0, text.search(/[{[]/u));
  const stack: Container[] = [];
  for (let found = lexeme.exec(text); found; found = lexeme.exec(text)) {
    const written = found[1] ?? '';
    const isText = written.startsWith('"');
    const around = stack.at(-1);
    const path = around?.key === undefined ? '' : around.path === '' ? `${around.key}` : `${around.path}.${around.key}`;
    if (written === '{' || written === '[') {
      stack.push({ path, isList: written === '[', key: written === '[' ? 0 : undefined });
    } else if (written === '}' || written === ']') {
      stack.pop();
      if (stack.length === 0) return;
    } else if (written === ',') {
      if (around) around.key = typeof around.key === 'number' ? around.key + 1 : undefined;
    } else if (around && !around.isList && around.key === undefined) {
      around.key = isText ? keyOf(written) : written;
    } else if (written !== ':' && path !== '') {
      const quote = isText ? 1 : 0;
      const from = lexeme.lastIndex - written.length + quote;
      yield { path, from, to: Math.max(from + 1, lexeme.lastIndex - quote) };
    }
  }
}

function keyOf(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
