import { parseJsonWithDigits } from '@docwright/contract';

/** Whether a value is an object, not a list or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none if the value is not a list. */
export const recordsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** A string as it is, any other value as an empty string. */
export const textFrom = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Indents JSON text; text that is not JSON is returned unchanged. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(parseJsonWithDigits(text), null, 2);
  } catch {
    return text;
  }
}

/** Parses JSON; text that is not JSON is returned as text, and so are the digits of numbers that JavaScript would round. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonWithDigits(text);
  } catch {
    return text;
  }
}
