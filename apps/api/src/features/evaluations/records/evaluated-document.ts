import type { Grounding } from '@docwright/contract';
import { groundResult, type Page } from '@docwright/documents';
import { compareResultsYielding, type Counts, type Difference, type FieldTotals } from '@docwright/scorer';

/** A difference with its places on the page. */
export type StoredDifference = Difference & { grounding?: Grounding; after_grounding?: Grounding };

/** What an evaluation found in one document. */
export interface EvaluatedDocument {
  counts: Counts;
  fields: FieldTotals[];
  differences: StoredDifference[];
  differenceCounts: Record<string, Record<string, number>>;
}

/** Of one document, so many differences are kept with their values; all of them are counted. */
const maxDifferences = 500;
/** Text beyond this is cut: it is to be recognized, not read. */
const maxText = 2_000;

/** Compares the result before and after a change with the verified one, and finds the places of what differs. */
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
  const { totals, fields, differences } = await compareResultsYielding({
    truth,
    before,
    after,
    ...(truthSchema !== undefined && { truthSchema }),
    ...(candidateSchema !== undefined && { candidateSchema }),
  });
  const kept = differences.slice(0, maxDifferences);
  // Only what differs is looked up: finding all values of a long document takes long.
  const found = groundResult(Object.fromEntries(kept.map((each, at) => [at, each.after])), input.pages);
  return {
    counts: totals,
    fields,
    differences: kept.map((each, at) => withPlaces(each, input.truthGrounding, found[String(at)])),
    differenceCounts: countByKindAndField(kept),
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
    truth: shortened(difference.truth),
    before: shortened(difference.before),
    after: shortened(difference.after),
    ...(grounding && grounding.match !== 'none' && { grounding }),
    ...(after && after.match !== 'none' && { after_grounding: after }),
  };
}

const shortened = (value: Difference['truth']): Difference['truth'] =>
  typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…` : value;

function countByKindAndField(differences: readonly Difference[]): Record<string, Record<string, number>> {
  const counts = Object.create(null) as Record<string, Record<string, number>>;
  for (const { kind, field } of differences) {
    const ofKind = (counts[kind] ??= Object.create(null) as Record<string, number>);
    ofKind[field] = (ofKind[field] ?? 0) + 1;
  }
  return counts;
}
