import { DomainError } from '@docwright/contract';

const unsafeSegments = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * `result` with `value` at `path`, which is dotted with indexes (`line_items.0.amount`). All segments before the last one must
 * exist. The last one can be new: a property, or the index after a list's last entry. What is not on the path is shared with
 * the given result: a copy of thousands of rows would take longer than the change.
 * @throws DomainError `unknown_path` if the path does not exist.
 */
export function withValueAt(result: unknown, path: string, value: unknown): { result: unknown; isNew: boolean } {
  const segments = path.split('.');
  const unsafe = segments.find((segment) => unsafeSegments.has(segment));
  if (unsafe !== undefined) throw unknownPath(`A path cannot contain "${unsafe}".`);
  const copy = copyOf(result);
  const last = segments.pop() ?? '';
  let container = copy;
  for (const segment of segments) {
    const child = copyOf(childOf(container, segment, path));
    (container as Record<string, unknown>)[segment] = child;
    container = child;
  }
  if (Array.isArray(container)) {
    const index = indexOf(last, container.length, path);
    const isNew = index === container.length;
    container[index] = value;
    return { result: copy, isNew };
  }
  const object = objectOf(container, last, path);
  const isNew = !Object.hasOwn(object, last);
  object[last] = value;
  return { result: copy, isNew };
}

/** Whether the object around a value is equal in both results, as it is if the row of a list has not changed. */
export function isSameRow(before: unknown, after: unknown, path: string): boolean {
  const row = path.split('.').slice(0, -1);
  const rowOf = (result: unknown) =>
    row.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      result,
    );
  return row.length > 0 && JSON.stringify(rowOf(before)) === JSON.stringify(rowOf(after));
}

/** Whether `path` is `ancestor` or a path below it. */
export function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`);
}

/** A path and those above it: `rows.0.amount`, `rows.0`, `rows`. */
export function pathsAround(path: string): string[] {
  const paths = [path];
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) paths.push(path.slice(0, at));
  return paths;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice();
  return typeof value === 'object' && value !== null ? { ...value } : value;
}

function childOf(container: unknown, segment: string, path: string): unknown {
  if (Array.isArray(container)) return container[indexOf(segment, container.length - 1, path)];
  const object = objectOf(container, segment, path);
  if (!Object.hasOwn(object, segment)) {
    throw unknownPath(`"${path}" does not exist: there is no "${segment}" among ${namesIn(object)}.`);
  }
  return object[segment];
}

function indexOf(segment: string, largest: number, path: string): number {
  const index = /^(0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : undefined;
  if (index === undefined || index > largest) {
    throw unknownPath(
      `"${path}" does not exist: instead of "${segment}" the list needs an index from 0 to ${largest}.`,
    );
  }
  return index;
}

function objectOf(container: unknown, segment: string, path: string): Record<string, unknown> {
  if (typeof container !== 'object' || container === null) {
    throw unknownPath(
      `"${path}" does not exist: the part before "${segment}" is a single value. Set that one instead.`,
    );
  }
  return container as Record<string, unknown>;
}

function namesIn(object: Record<string, unknown>): string {
  return Object.keys(object).slice(0, 30).join(', ') || 'no fields at all';
}

function unknownPath(message: string): DomainError {
  return new DomainError('invalid', 'unknown_path', message);
}
