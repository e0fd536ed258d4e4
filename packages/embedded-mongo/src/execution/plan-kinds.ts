import type { CollectionIndex } from '../storage/collection-index.ts';
import type { RowBits } from '../storage/kept-rows.ts';
import type { SubstringIndex } from '../storage/substring-index.ts';
import type { BsonDocument } from '../values/value.ts';
import type { EntryCondition } from './entry-condition.ts';
import type { KeyRange } from './key-ranges.ts';

/** The access path to the documents of a query. */
export type QueryPlan = CollectionPlan | IndexPlan | RowsPlan | SubstringPlan | UnionPlan;

interface PlanResult {
  /** True when the rows come in the requested order. */
  isSorted: boolean;
  /** True when every row satisfies the filter: no document needs to be checked. */
  isExact: boolean;
}

export interface CollectionPlan extends PlanResult {
  kind: 'collection';
  isDescending: boolean;
}

export interface IndexPlan extends PlanResult {
  kind: 'index';
  index: CollectionIndex;
  ranges: KeyRange[];
  /** How many leading fields of the index have one value in each range, if nothing else narrows the ranges. */
  leading: number | undefined;
  condition: EntryCondition | undefined;
  /** The paths of the filter that every row satisfies. */
  coveredPaths: Set<string>;
  isDescending: boolean;
  /** True when no document is in the ranges more than once. */
  isDistinct: boolean;
  /** True when the condition was read before, so that a document that changed since can still be found: it is checked. */
  isSnapshot?: boolean;
}

/** Rows that several indexes together have found. */
export interface RowsPlan extends PlanResult {
  kind: 'rows';
  rows: RowBits;
  count: number;
}

/** The rows that contain a text in a field. */
export interface SubstringPlan extends PlanResult {
  kind: 'substring';
  table: SubstringIndex;
  /** Finds the rows that can contain it. */
  expression: string;
  text: Buffer;
  /** Further conditions on the rows. */
  conditions: EntryCondition[];
  /** Number of rows with the expression; undefined for many. */
  rows: number | undefined;
  /** The paths of the filter that every row satisfies. */
  coveredPaths: Set<string>;
}

export interface UnionPlan extends PlanResult {
  kind: 'union';
  plans: QueryPlan[];
  /** The whole filter of each plan, by which its rows are decided. */
  filters: BsonDocument[];
}

/** The row of a document. `bytes` is undefined if only the row is needed. */
export interface StoredRow {
  id: number;
  bytes: Buffer | undefined;
}

/** One of the plans for a query. */
export interface Alternative {
  plan: QueryPlan;
  /** Decides among plans that read equally many documents. */
  score: number;
  /** What narrows the walk. A plan that is narrowed by more than another, and by all of that, reads no more documents. */
  narrowedBy: ReadonlySet<string>;
}
