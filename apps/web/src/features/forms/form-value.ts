import { isRecord } from '../../shared/http/json-value.ts';
import { joinPath, valueAt } from '../../shared/values/value-path.ts';

/** One changed field as the API takes it, with a dotted path with indexes. */
export interface FormChange {
  path: string;
  value: unknown;
}

/** More changes than these within one list are sent as the list itself. */
const maxInList = 8;

/** A single value as a user would type it; anything else as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => sameValue(each, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => key in other && sameValue(one[key], other[key]))
  );
}

/** A copy with `next` at `path`; undefined if the parent of the path does not exist. */
export function withValueAt(value: unknown, path: string, next: unknown): unknown {
  const [key, ...rest] = path.split('.');
  if (key === undefined) return undefined;
  const below = (place: unknown) => (rest.length === 0 ? next : withValueAt(place, rest.join('.'), next));
  if (Array.isArray(value)) {
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > value.length) return undefined;
    const item = below(value[index]);
    return item === undefined ? undefined : value.toSpliced(index, 1, item);
  }
  if (!isRecord(value)) return undefined;
  const own = below(value[key]);
  return own === undefined ? undefined : { ...value, [key]: own };
}

/** The changes that turn `base` into `mine`, as few and as small as possible. */
export function changesBetween(base: unknown, mine: unknown, path = ''): FormChange[] {
  if (sameValue(base, mine)) return [];
  if (isRecord(base) && isRecord(mine)) {
    const keys = Object.keys(mine);
    const removed = Object.keys(base).some((key) => !(key in mine));
    // The root cannot be sent as a whole. Users cannot remove fields of it, so a missing field is no change.
    if (!removed || path === '') {
      return keys.flatMap((key) => changesBetween(base[key], mine[key], joinPath(path, key)));
    }
  }
  if (Array.isArray(base) && Array.isArray(mine) && mine.length >= base.length) {
    const changes = mine.flatMap((item, index) => changesBetween(base[index], item, joinPath(path, index)));
    if (changes.length <= maxInList) return changes;
  }
  return [{ path, value: mine }];
}

interface Rebased {
  /** `theirs` with the changes made. */
  value: unknown;
  /** Paths of fields that someone else has set to another value meanwhile. */
  conflicts: string[];
  /** Changes whose field no longer exists. */
  lost: FormChange[];
}

/** Applies changes made to `base` to a newer result. */
export function rebase(base: unknown, changes: FormChange[], theirs: unknown): Rebased {
  let value = theirs;
  const conflicts: string[] = [];
  const lost: FormChange[] = [];
  for (const change of changes) {
    const next = withValueAt(value, change.path, change.value);
    if (next === undefined) {
      lost.push(change);
      continue;
    }
    const now = valueAt(theirs, change.path);
    if (!sameValue(now, valueAt(base, change.path)) && !sameValue(now, change.value)) conflicts.push(change.path);
    value = next;
  }
  return { value, conflicts, lost };
}

/** A copy of a list with one item moved. */
export function moved(items: unknown[], from: number, to: number): unknown[] {
  if (to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]);
}
