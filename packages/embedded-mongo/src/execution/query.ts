import type { Variables } from '../expression/scope.ts';
import type { Positions } from '../query/predicate.ts';
import type { BsonDocument } from '../values/value.ts';
import type { Hint } from './plan.ts';
import type { StoredRow } from './plan-kinds.ts';

/** A query of one collection, compiled neither to a predicate nor to a plan yet. */
export interface CollectionQuery {
  filter: BsonDocument;
  sort?: BsonDocument | undefined;
  skip?: number | undefined;
  /** 0 or absent: no limit. */
  limit?: number | undefined;
  hint?: Hint | undefined;
  variables?: Variables | undefined;
  /** True when the hits need the positions of matched array elements. */
  wantPositions?: boolean | undefined;
  /** False when only the rows are needed, not the documents. */
  wantBytes?: boolean | undefined;
}

/** A matching document. Only the first hits have bytes, up to two megabytes: read the others with `Collection.read`. */
export interface Hit extends StoredRow {
  positions: Positions | undefined;
  /** The score of a `$text` match. */
  textScore?: number;
}
