import type { Preview } from '@docwright/contract';
import type { Listed } from '../../context/services.ts';

/** A copy of `current` with the defined fields of the change. */
export function applyChange<Value extends object>(
  current: Value,
  change: { [Key in keyof Value]?: Value[Key] | undefined },
): Value {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}

interface TagChange {
  tag_ids?: string[] | undefined;
  add_tag_ids?: string[] | undefined;
  remove_tag_ids?: string[] | undefined;
}

/** The tags after some are added and removed, or after a whole list. */
export function changedTags(
  current: readonly string[],
  { tag_ids, add_tag_ids = [], remove_tag_ids = [] }: TagChange,
): string[] {
  return [...new Set([...(tag_ids ?? current), ...add_tag_ids])].filter((id) => !remove_tag_ids.includes(id));
}

/**
 * Whether a whole list leaves out what stands there. Somebody else can have added it after the model read the list, so that
 * a user is asked, who sees the difference.
 */
export function isShortened(current: readonly string[], whole: readonly string[] | undefined): boolean {
  return whole !== undefined && current.some((item) => !whole.includes(item));
}

/** For `refine`: refuses arguments that change nothing beside the named ones, because they would write an equal revision. */
export function hasChangesBeside(...besides: string[]): (args: Record<string, unknown>) => boolean {
  return (args) => Object.entries(args).some(([key, value]) => !besides.includes(key) && value !== undefined);
}

export const nothingToChange = 'Give at least one thing to change.';

const fieldLabels: Record<string, string> = {
  document_name: 'name',
  response_format: 'fields',
  schema_id: 'schema',
  tag_ids: 'tags',
  add_tag_ids: 'tags',
  remove_tag_ids: 'tags',
  set_metadata: 'metadata',
  remove_metadata: 'metadata',
};

/** The changed fields as a list for users. */
export function changeLabel(args: Record<string, unknown>, targetId: string): string {
  const fields = Object.keys(args).filter((field) => field !== targetId);
  return [...new Set(fields.map((field) => fieldLabels[field] ?? field))].join(', ');
}

type DifferencePreview = Extract<Preview, { kind: 'difference' }>;

const maxCharacters = 12_000;
const contextLines = 3;

/**
 * A preview of the difference between two texts. Long texts lose the equal lines at their start and end, then everything
 * beyond the limit; a note replaces each cut.
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
  const changed = (lines: string[]) => lines.slice(from, lines.length - Math.max(0, tail - contextLines));
  const shown = (lines: string[]) => {
    const start = from > 0 ? [`[${from} equal lines before]`] : [];
    const end = tail > contextLines ? [`[${tail - contextLines} equal lines after]`] : [];
    return truncate([...start, ...changed(lines), ...end].join('\n'));
  };
  return { kind: 'difference', title, before: shown(old), after: shown(next) };
}

function countWhile(limit: number, holds: (at: number) => boolean): number {
  let count = 0;
  while (count < limit && holds(count)) count += 1;
  return count;
}

function truncate(text: string): string {
  const over = text.length - maxCharacters;
  return over <= 0 ? text : `${text.slice(0, maxCharacters)}\n[cut: ${over} more characters]`;
}

const maxCollisions = 50;

/** The objects of this name, ignoring case. */
export async function itemsNamed<Plural extends string, Item extends { name: string }>(
  name: string,
  plural: Plural,
  list: (query: { skip: number; limit: number; name_search: string }) => Promise<Listed<Plural, Item>>,
): Promise<Item[]> {
  const found = await everyPage(plural, (query) => list({ ...query, name_search: name }));
  return found.filter((item) => item.name.toLowerCase() === name.toLowerCase());
}

/** The objects with the same name as a new one, ignoring case. */
export async function collisionPreview<Plural extends string, Item extends { name: string }>(
  name: string,
  plural: Plural,
  list: (query: { skip: number; limit: number; name_search: string }) => Promise<Listed<Plural, Item>>,
  idOf: (item: Item) => string,
): Promise<Preview> {
  const same = await itemsNamed(name, plural, list);
  return {
    kind: 'create',
    collides_with: same.slice(0, maxCollisions).map((item) => ({ id: idOf(item), name: item.name })),
  };
}

/** Maximum number of dependents in a preview; `dependent_count` has the total. */
const maxDependents = 50;

type Dependent = Extract<Preview, { kind: 'delete' }>['dependents'][number];

/** A preview of a deletion with the first dependents. */
export function deletePreview(name: string, dependents: readonly Dependent[], total = dependents.length): Preview {
  return { kind: 'delete', name, dependents: dependents.slice(0, maxDependents), dependent_count: total };
}

const pageSize = 100;

/** All items of a list, fetched page by page. */
export async function everyPage<Plural extends string, Item>(
  plural: Plural,
  list: (query: { skip: number; limit: number }) => Promise<Listed<Plural, Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = await list({ skip: items.length, limit: pageSize });
    items.push(...page[plural]);
    if (page[plural].length < pageSize) return items;
  }
}
