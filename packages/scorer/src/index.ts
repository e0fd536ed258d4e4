export {
  compareResults,
  type Comparison,
  type ComparisonInput,
  type Difference,
  type DifferenceKind,
} from './compare-results.ts';
export { equalLeaves, type Leaf } from './leaf.ts';
export { accuracy, sumFields, sumTotals, type Counts, type FieldTotals, type Totals } from './totals.ts';
