import type { Grounding } from '@docwright/contract';
import { groundResult, type Page } from '@docwright/documents';
import { compareResults, type Counts, type Difference, type FieldTotals } from '@docwright/scorer';

/** A difference with its places on the page. */
export type StoredDifference = Difference & { grounding?: Grounding; after_grounding?: Grounding };

/** The result of an evaluation for one document. */
export interface EvaluatedDocument {
  counts: Counts;
  fields: FieldTotals[];
  differences: StoredDifference[];
  differenceCounts: Record<string, Record<string, number>>;
  /** Whether the release policy would release it before and after the change. */
  release?: { before: boolean; after: boolean };
}

/** How many differences of one document are stored. */
const maxDifferences = 500;
/** Longer texts are cut: users only need to recognize them. */
const maxText = 2_000;

/** Compares the results before and after a change with the verified one, and grounds the values that differ. */
export async function evaluateDocument(input: {
  truth: unknown;
  truthSchema: unknown;
  /** Where the verified values are on the page. */
  truthGrounding: Record<string, Grounding>;
  before: unknown;
  after: unknown;
  candidateSchema: unknown;
  pages: readonly Page[];
}): Promise<EvaluatedDocument> {
  const { truth, truthSchema, before, after, candidateSchema } = input;
  const { totals, fields, differences } = await compareResults({
    truth,
    before,
    after,
    ...(truthSchema !== undefined && { truthSchema }),
    ...(candidateSchema !== undefined && { candidateSchema }),
  });
  const listed = differences.slice(0, maxDifferences);
  // Grounds only values that differ: grounding all values of a long document is slow.
  const places = await groundResult(Object.fromEntries(listed.map(({ after: value }, at) => [at, value])), input.pages);
  return {
    counts: totals,
    fields,
    differences: listed.map((difference, at) => withPlaces(difference, input.truthGrounding, places[String(at)])),
    differenceCounts: countByKindAndField(listed),
  };
}

function withPlaces(
  difference: Difference,
  truth: Record<string, Grounding>,
  after: Grounding | undefined,
): StoredDifference {
  const grounding = difference.absent.includes('truth') ? undefined : truth[difference.path];
  return {
    ...difference,
    truth: shorten(difference.truth),
    before: shorten(difference.before),
    after: shorten(difference.after),
    ...(grounding && grounding.match !== 'none' && { grounding }),
    ...(after && after.match !== 'none' && { after_grounding: after }),
  };
}

const shorten = (value: Difference['truth']): Difference['truth'] =>
  typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…` : value;

function countByKindAndField(differences: readonly Difference[]): Record<string, Record<string, number>> {
  const counts = Object.create(null) as Record<string, Record<string, number>>;
  for (const { kind, field } of differences) {
    const ofKind = (counts[kind] ??= Object.create(null) as Record<string, number>);
    ofKind[field] = (ofKind[field] ?? 0) + 1;
  }
  return counts;
}
