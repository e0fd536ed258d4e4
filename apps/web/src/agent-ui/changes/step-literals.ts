import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import type { ShownStep } from './plan-draft.ts';

/** Labels an argument by its dotted path: `tag_ids.0` → "tag", `content` → "content". */
export function argumentLabel(path: string): string {
  const words = path
    .replace(/(?:\.\d+)+$/u, '')
    .replace(/_(?:rev)?ids?$/u, '')
    .replaceAll(/[_.]/gu, ' ');
  return words === '' ? path : words;
}

/** The literal arguments of a step that neither its summary nor a preview shows; open places are omitted. */
export function literalsOf({
  arguments: text,
  summary,
  preview,
}: Pick<ShownStep, 'arguments' | 'summary' | 'preview'>): { name: string; text: string }[] {
  const args = parseJson(text);
  if (!isRecord(args) || preview?.kind === 'difference' || preview?.kind === 'field') return [];
  return Object.entries(args).flatMap(([name, value]) => {
    const literal = withoutSlots(value);
    if (literal === undefined || name === 'response_format') return [];
    const label = valueLabel(literal);
    return label === '' || summary.includes(label) ? [] : [{ name: argumentLabel(name), text: label }];
  });
}

/** An argument's value as text. */
export function valueLabel(value: unknown): string {
  if (value === null || value === undefined) return 'not given';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Removes open places, which are filled in later; undefined if nothing else is left. */
function withoutSlots(value: unknown): unknown {
  if (Array.isArray(value)) {
    const literals = value.map(withoutSlots).filter((item) => item !== undefined);
    return value.length > 0 && literals.length === 0 ? undefined : literals;
  }
  if (!isRecord(value)) return value;
  if ('$from' in value || '$model' in value) return undefined;
  const literals = Object.entries(value).flatMap(([key, property]) => {
    const literal = withoutSlots(property);
    return literal === undefined ? [] : [[key, literal] as const];
  });
  return Object.keys(value).length > 0 && literals.length === 0 ? undefined : Object.fromEntries(literals);
}
