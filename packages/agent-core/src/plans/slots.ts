import { z } from 'zod';

/** A value from the result of an earlier step, by a dotted path. */
const resultSlot = z.strictObject({ $from: z.string().min(1).max(100), path: z.string().min(1).max(300) });
/** A value that the model writes when it makes the call. A longer value is not covered. */
const modelSlot = z.strictObject({
  $model: z.literal('json'),
  max_length: z.number().int().min(1).max(100_000).default(4000),
});
type Slot = z.output<typeof resultSlot> | z.output<typeof modelSlot>;

/** An open place in the arguments of a step. */
export interface OpenPlace {
  readonly path: readonly string[];
  readonly slot: Slot;
}

function slotOf(value: unknown): Slot | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if ('$from' in value) return resultSlot.safeParse(value).data;
  return '$model' in value ? modelSlot.safeParse(value).data : undefined;
}

/** The open places of arguments, and the dotted paths of malformed slots. */
export function openPlaces(value: unknown): { places: OpenPlace[]; malformed: string[] } {
  const places: OpenPlace[] = [];
  const malformed: string[] = [];
  const walk = (each: unknown, path: readonly string[]): void => {
    if (typeof each !== 'object' || each === null) return;
    const slot = slotOf(each);
    if (slot) places.push({ path, slot });
    else if ('$from' in each || '$model' in each) malformed.push(path.join('.'));
    else for (const [key, child] of Object.entries(each)) walk(child, [...path, key]);
  };
  walk(value, []);
  return { places, malformed };
}

/** A copy of arguments with each open place filled; a place filled with undefined is omitted. */
export function fillPlaces(value: unknown, fill: (place: OpenPlace) => unknown, path: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const slot = slotOf(value);
  if (slot) return fill({ path, slot });
  if (Array.isArray(value)) return value.map((each, at) => fillPlaces(each, fill, [...path, String(at)]));
  const filled = Object.entries(value).map(([key, each]) => [key, fillPlaces(each, fill, [...path, key])] as const);
  return Object.fromEntries(filled.filter(([, each]) => each !== undefined));
}

/** The value at a path; undefined if none exists. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
