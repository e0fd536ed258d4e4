import { visitPath } from '../values/path.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';

/**
 * The index of the element that a filter matched, by the path of its array. `$` in an update or projection stands for
 * it.
 */
export type Positions = Map<string, number>;

export type Predicate = (document: BsonDocument, positions?: Positions) => boolean;
export type ValuePredicate = (value: BsonValue | undefined) => boolean;

export const everyOf = (predicates: readonly Predicate[]): Predicate => {
  if (predicates.length === 1) return predicates[0]!;
  return (document, positions) => predicates.every((predicate) => predicate(document, positions));
};

export const anyOf =
  (predicates: readonly Predicate[]): Predicate =>
  (document, positions) =>
    predicates.some((predicate) => predicate(document, positions));

export const noneOf =
  (predicate: Predicate): Predicate =>
  (document) =>
    !predicate(document);

/** True when the value at the path, or an element of the array there, satisfies the predicate. */
export function onValues(path: string, predicate: ValuePredicate): Predicate {
  const parts = path.split('.');
  return (document, positions) =>
    visitPath(document, parts, (value, step) => {
      if (Array.isArray(value)) {
        const index = value.findIndex(predicate);
        if (index >= 0) recordPosition(positions, step ?? { path, index });
        else if (!predicate(value)) return false;
        return true;
      }
      if (!predicate(value)) return false;
      if (step) recordPosition(positions, step);
      return true;
    });
}

/** True when the value at the path itself satisfies the predicate; elements of an array there do not count. */
export function onWholeValue(path: string, predicate: ValuePredicate): Predicate {
  const parts = path.split('.');
  return (document, positions) =>
    visitPath(document, parts, (value, step) => {
      if (!predicate(value)) return false;
      if (step) recordPosition(positions, step);
      return true;
    });
}

/** True when an element of the array at the path satisfies the predicate. */
export function onElements(path: string, predicate: ValuePredicate): Predicate {
  const parts = path.split('.');
  return (document, positions) =>
    visitPath(document, parts, (value, step) => {
      if (!Array.isArray(value)) return false;
      const index = value.findIndex(predicate);
      if (index >= 0) recordPosition(positions, step ?? { path, index });
      return index >= 0;
    });
}

function recordPosition(positions: Positions | undefined, { path, index }: { path: string; index: number }): void {
  positions?.set(path, index);
}
