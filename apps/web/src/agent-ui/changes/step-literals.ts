import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import type { ShownStep } from './plan-draft.ts';

/** "tag ids" → "tag", "content" → "content": an argument by its dotted path, as one says it. */
export function argumentLabel(path: string): string {
  const words = path
    .replace(/(?:\.\d+)+$/u, '')
    .replace(/_(?:rev)?ids?$/u, '')
    .replaceAll(/[_.]/gu, ' ');
  return words === '' ? path : words;
}

/** What a step's arguments say by themselves: those that the summary or a preview does not show, open places left out. */
export function literalsOf({
  arguments: text,
  summary,
  preview,
}: Pick<ShownStep, 'arguments' | 'summary' | 'preview'>): { name: string; text: string }[] {
  const args = parseJson(text);
  if (!isRecord(args) || preview?.kind === 'difference' || preview?.kind === 'field') return [];
  return Object.entries(args).flatMap(([name, value]) => {
    const shown = withoutSlots(value);
    if (shown === undefined || name === 'response_format') return [];
    const said = shownValue(shown);
    return said === '' || summary.includes(said) ? [] : [{ name: argumentLabel(name), text: said }];
  });
}

/** A value as a card shows it. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'not given';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Undefined where nothing but places that are filled later is left. */
function withoutSlots(value: unknown): unknown {
  if (Array.isArray(value)) {
    const left = value.map(withoutSlots).filter((each) => each !== undefined);
    return value.length > 0 && left.length === 0 ? undefined : left;
  }
  if (!isRecord(value)) return value;
  if ('$from' in value || '$model' in value) return undefined;
  const left = Object.entries(value).flatMap(([key, each]) => {
    const kept = withoutSlots(each);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.keys(value).length > 0 && left.length === 0 ? undefined : Object.fromEntries(left);
}
