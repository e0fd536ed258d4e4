import { expect, it } from 'vitest';
import { z } from 'zod';
import { encodeSteps } from './encode-steps.ts';
import { inTurns } from './in-turns.ts';

const place = z.object({ page: z.number(), quote: z.string().nullable(), note: z.string().optional() });
const listed = z.object({ kind: z.literal('listed'), places: z.array(place) });
const named = z.object({ kind: z.literal('named'), places: z.record(z.string(), place) });
const answer = z.object({
  id: z.string(),
  result: z.unknown(),
  maybe: z.string().optional(),
  places: z.record(z.string(), place),
  either: z.discriminatedUnion('kind', [listed, named]).nullable(),
  strict: z.strictObject({ places: z.array(place) }).optional(),
  loose: z.looseObject({ a: z.array(z.unknown()) }).optional(),
  count: z.number(),
});
const places = (count: number, extra: object = {}) =>
  Array.from({ length: count }, (_, at) => ({ page: at, quote: at % 2 ? null : 'x', ...extra }));
const byPath = (count: number, extra: object = {}) =>
  Object.fromEntries(places(count, extra).map((one) => [`rows.${one.page}`, one]));
const valid = {
  id: 'a',
  hidden: 'not part of the answer',
  result: { rows: places(3_000, { secret: 1 }) },
  places: byPath(3_000, { secret: 'left out' }),
  either: { kind: 'named', places: byPath(3_000), secret: 1 },
  strict: { places: places(3_000, { secret: 1 }) },
  loose: { a: places(3_000), b: places(3_000) },
  count: 2,
};

it('a long answer is encoded as zod does it at once', async () => {
  for (const value of [valid, { ...valid, either: null, places: {}, strict: undefined }]) {
    const encoded = await inTurns(encodeSteps(answer, value));
    expect(
      JSON.stringify(encoded) === JSON.stringify(z.encode(answer, value as unknown as z.infer<typeof answer>)),
    ).toBe(true);
  }
});

it.each<[name: string, change: object]>([
  ['in a record', { places: { ...byPath(3_000), x: { page: 'one', quote: null } } }],
  ['in a list of a union', { either: { kind: 'listed', places: [...places(3_000), {}] } }],
  ['of an unknown key', { strict: { places: places(3_000), b: 1 } }],
  ['of a short field beside long ones', { count: '2' }],
  ['of a missing field', { id: undefined }],
  ['of another type', { places: places(3_000) }],
])('an error %s is found', async (_name, change) => {
  await expect(inTurns(encodeSteps(answer, { ...valid, ...change }))).rejects.toThrow();
});
