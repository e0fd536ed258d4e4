import { isRecord } from '../http/json-value.ts';

/** Adds a key or an index to a dotted path: `line_items` and 0 → `line_items.0`. */
export const joinPath = (path: string, key: string | number) => (path === '' ? String(key) : `${path}.${key}`);

/** The value at a dotted path with indexes; undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: string): unknown {
  let place = value;
  for (const key of path === '' ? [] : path.split('.')) {
    if (Array.isArray(place)) place = place[Number(key)];
    else place = isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}
