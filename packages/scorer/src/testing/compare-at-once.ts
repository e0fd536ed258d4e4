import { compareStepwise, type Comparison, type ComparisonInput } from '../compare-results.ts';

/** `compareResults` without turns for other work. */
export function compareAtOnce(input: ComparisonInput): Comparison {
  const comparing = compareStepwise(input);
  for (;;) {
    const step = comparing.next();
    if (step.done) return step.value;
  }
}

/** How much of a result is right, in total and for each field. The schema applies to the result and its truth. */
export function scoreAtOnce({ truth, result, schema }: { truth: unknown; result: unknown; schema?: unknown }) {
  const sides = { truth, before: result, after: result };
  const { totals, fields } = compareAtOnce({ ...sides, truthSchema: schema, candidateSchema: schema });
  const scoreOf = ({ values, correct_after, spurious_after, accuracy_after }: typeof totals) => {
    return { values, correct: correct_after, spurious: spurious_after, accuracy: accuracy_after };
  };
  return { ...scoreOf(totals), fields: fields.map((each) => ({ field: each.field, ...scoreOf(each) })) };
}
