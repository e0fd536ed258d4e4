import type { FieldNode } from './result-tree.ts';
import type { FieldShape } from './field-shape.ts';

/** A value as a person reads it; what is not given stays empty. */
export function formatValue(value: FieldNode['value']): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value);
}

export type ParsedValue = { ok: true; value: FieldNode['value'] } | { ok: false; message: string };

/** What was typed, as the value its schema wants. */
export function parseValue(text: string, shape: FieldShape): ParsedValue {
  const trimmed = text.trim();
  if (trimmed === '') {
    if (shape.nullable) return { ok: true, value: null };
    return shape.type === 'text' ? { ok: true, value: '' } : { ok: false, message: 'A value is required.' };
  }
  if (shape.type === 'number' || shape.type === 'integer') {
    const number = Number(trimmed);
    if (!Number.isFinite(number)) return { ok: false, message: 'Write a number such as 1234.50, without separators.' };
    if (shape.type === 'integer' && !Number.isInteger(number)) return { ok: false, message: 'Write a whole number.' };
    return { ok: true, value: number };
  }
  if (shape.type === 'boolean') return { ok: true, value: trimmed === 'true' };
  return { ok: true, value: text };
}
