import type { Preview } from '@docwright/contract';
import type { Listed } from '../../context/services.ts';

/** A copy of `present` with the fields that the change gives; a field that is undefined stays. */
export function applyChange<Value extends object>(
  present: Value,
  change: { [Key in keyof Value]?: Value[Key] | undefined },
): Value {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...present, ...Object.fromEntries(given) };
}

/** For `refine`: refuses arguments that name only their target, since such a change would write a revision that says nothing. */
export function changesBeside(...besides: string[]): (args: Record<string, unknown>) => boolean {
  return (args) => Object.entries(args).some(([key, value]) => !besides.includes(key) && value !== undefined);
}

export const nothingToChange = 'Give at least one thing to change.';

const words: Record<string, string> = {
  document_name: 'name',
  response_format: 'fields',
  schema_id: 'schema',
  tag_ids: 'tags',
};

/** The names of the fields that a change gives, as a person says them. */
export function changeLabel(args: Record<string, unknown>, targetId: string): string {
  return Object.keys(args)
    .filter((field) => field !== targetId)
    .map((field) => words[field] ?? field)
    .join(', ');
}

type DifferencePreview = Extract<Preview, { kind: 'difference' }>;

const maxCharacters = 12_000;
const contextLines = 3;

/**
 * Two texts as the preview of a change. Long ones lose first the lines at start and end that are the same in both, then
 * whatever is over the limit; each cut is named in its place.
 */
export function differencePreview(title: string, before: string, after: string): DifferencePreview {
  if (before.length <= maxCharacters && after.length <= maxCharacters) {
    return { kind: 'difference', title, before, after };
  }
  const [old, next] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, next.length);
  const head = countWhile(shorter, (at) => old[at] === next[at]);
  const tail = countWhile(shorter - head, (at) => old[old.length - 1 - at] === next[next.length - 1 - at]);
  const from = Math.max(0, head - contextLines);
  const kept = (lines: string[]) => lines.slice(from, lines.length - Math.max(0, tail - contextLines));
  const shown = (lines: string[]) => {
    const start = from > 0 ? [`[${from} equal lines before]`] : [];
    const end = tail > contextLines ? [`[${tail - contextLines} equal lines after]`] : [];
    return cut([...start, ...kept(lines), ...end].join('\n'));
  };
  return { kind: 'difference', title, before: shown(old), after: shown(next) };
}

function countWhile(limit: number, holds: (at: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count += 1;
  return count;
}

function cut(text: string): string {
  const over = text.length - maxCharacters;
  return over <= 0 ? text : `${text.slice(0, maxCharacters)}\n[cut: ${over} more characters]`;
}

const maxCollisions = 50;

/** What a new thing would share its name with, letter case aside. */
export async function collisionPreview<Plural extends string, Item extends { name: string }>(
  name: string,
  plural: Plural,
  list: (query: { skip: number; limit: number; name_search: string }) => Promise<Listed<Plural, Item>>,
  idOf: (item: Item) => string,
): Promise<Preview> {
  const found = await everyPage(plural, (query) => list({ ...query, name_search: name }));
  const same = found.filter((item) => item.name.toLowerCase() === name.toLowerCase());
  return {
    kind: 'create',
    collides_with: same.slice(0, maxCollisions).map((item) => ({ id: idOf(item), name: item.name })),
  };
}

/** As many as a person reads before deciding; the total says how many there are. */
const maxDependents = 50;

type Dependent = Extract<Preview, { kind: 'delete' }>['dependents'][number];

/** What else depends on the thing that would go, the first of them by name. */
export function deletePreview(name: string, dependents: readonly Dependent[], total = dependents.length): Preview {
  return { kind: 'delete', name, dependents: dependents.slice(0, maxDependents), dependent_count: total };
}

const pageSize = 100;

/** All that a list holds, fetched page by page. */
export async function everyPage<Plural extends string, Item>(
  plural: Plural,
  list: (query: { skip: number; limit: number }) => Promise<Listed<Plural, Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = await list({ skip: items.length, limit: pageSize });
    items.push(...page[plural]);
    if (page[plural].length < pageSize || items.length >= page.total_count) return items;
  }
}
