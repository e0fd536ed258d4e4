import { badValue } from '../errors/mongo-error.ts';
import type { Positions, Predicate } from '../query/predicate.ts';
import { isArrayIndex } from '../values/path.ts';
import { show } from '../values/show.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { childOf } from './paths.ts';

interface Reached {
  value: BsonValue | undefined;
  parts: string[];
}

/** The paths in this document that a path with `$`, `$[]` or `$[identifier]` stands for. */
export function expandPath(
  document: BsonDocument,
  path: string,
  positions: Positions | undefined,
  filters: ReadonlyMap<string, Predicate>,
): string[] {
  if (!path.includes('$')) return [path];
  let reached: Reached[] = [{ value: document, parts: [] }];
  for (const part of path.split('.')) {
    reached = reached.flatMap((place) => step(place, part, path, positions, filters));
  }
  return reached.map(({ parts }) => parts.join('.'));
}

function step(
  { value, parts }: Reached,
  part: string,
  path: string,
  positions: Positions | undefined,
  filters: ReadonlyMap<string, Predicate>,
): Reached[] {
  if (part === '$') {
    const index = matchedIndex(parts, positions);
    return [{ value: childOf(value, String(index)), parts: [...parts, String(index)] }];
  }
  if (!part.startsWith('$[')) return [{ value: childOf(value, part), parts: [...parts, part] }];
  const identifier = part.slice(2, -1);
  const filter = filters.get(identifier);
  if (identifier !== '' && !filter) {
    throw badValue(`No array filter found for identifier '${identifier}' in path '${path}'`);
  }
  return elementsAt(value, parts).flatMap((element, index) => {
    const taken = !filter || filter(new Map([[identifier, element]]));
    return taken ? [{ value: element, parts: [...parts, String(index)] }] : [];
  });
}

function elementsAt(value: BsonValue | undefined, parts: string[]): BsonValue[] {
  if (Array.isArray(value)) return value;
  throw badValue(
    value === undefined
      ? `The path '${parts.join('.')}' must exist in the document in order to apply array updates.`
      : `Cannot apply array updates to non-array element ${parts.at(-1)}: ${show(value)}`,
  );
}

function matchedIndex(parts: string[], positions: Positions | undefined): number {
  const named = parts.filter((part) => !isArrayIndex(part)).join('.');
  const index = positions?.get(parts.join('.')) ?? positions?.get(named) ?? onlyValue(positions);
  if (index === undefined) {
    throw badValue('The positional operator did not find the match needed from the query.');
  }
  return index;
}

function onlyValue(positions: Positions | undefined): number | undefined {
  return positions?.size === 1 ? [...positions.values()][0] : undefined;
}
