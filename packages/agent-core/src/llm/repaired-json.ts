import { jsonrepair } from 'jsonrepair';

/**
 * The JSON text of an object that a model wrote almost right: encoded twice, with a fence or words around it, a trailing
 * comma, single quotes. Undefined if there is none, or if it is not complete: what a model did not write is never added.
 *
 * @example
 * import { repairedJson } from '@docwright/agent-core';
 *
 * repairedJson('Here it is: {"a":1,}'); // '{"a":1}'
 * repairedJson('{"a":1'); // undefined
 */
export function repairedJson(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const inner = unquoted(text);
  const from = inner.indexOf('{');
  const to = inner.lastIndexOf('}');
  if (from < 0 || to < from) return undefined;
  const written = inner.slice(from, to + 1);
  if (isObject(written)) return written;
  if (!isBalanced(written)) return undefined;
  try {
    const repaired = jsonrepair(written);
    return isObject(repaired) ? repaired : undefined;
  } catch {
    return undefined;
  }
}

const maxLength = 1_000_000;

/** The text inside a JSON string; of any other text the text itself. */
function unquoted(text: string): string {
  if (!text.trimStart().startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether the text is one object whose brackets close each other, and its last one the first. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || (character === "'" && /[{[,:\s]/.test(text[at - 1] ?? ' '))) quote = character;
    else if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') {
      if (open.pop() !== (character === '}' ? '{' : '[')) return false;
      if (open.length === 0 && at < text.length - 1) return false;
    }
  }
  return open.length === 0 && quote === '';
}
