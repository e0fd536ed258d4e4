import type { BsonDocument } from '../values/value.ts';

/** An index that answers searches rather than filters. Every write updates it, within the write's savepoint. */
export interface SearchTable {
  readonly id: number;
  readonly name: string;
  readonly specification: BsonDocument;
  /** The top-level fields that it reads. */
  readonly rootFields: Set<string>;
  dropped: boolean;
  createTable(): void;
  dropTable(): void;
  insert(row: number, document: BsonDocument): void;
  update(row: number, before: BsonDocument, after: BsonDocument): void;
  remove(row: number, document: BsonDocument): void;
}

/** A row that a search found. A greater score is better. */
export interface ScoredRow {
  id: number;
  score: number;
}
