export {
  compareResults,
  scoreResult,
  type Comparison,
  type ComparisonInput,
  type Difference,
  type DifferenceKind,
  type FieldScore,
  type Score,
} from './compare-results.ts';
export { equalLeaves, type Leaf } from './leaf.ts';
export { accuracy, sumFields, sumTotals, type Counts, type FieldTotals, type Totals } from './totals.ts';
export { compareResultsYielding } from './yielding.ts';
