import type { BsonDocument } from '../values/value.ts';

/** An index of texts or vectors. Every write of a document updates it in the same savepoint. */
export interface SearchTable {
  readonly id: number;
  readonly name: string;
  readonly specification: BsonDocument;
  /** The top-level fields that the index reads. */
  readonly rootFields: Set<string>;
  isDropped: boolean;
  createTable(): void;
  dropTable(): void;
  insert(row: number, document: BsonDocument): void;
  update(row: number, before: BsonDocument, after: BsonDocument): void;
  remove(row: number, document: BsonDocument): void;
}

/** A row with its score in a search. A greater score is better. */
export interface ScoredRow {
  id: number;
  score: number;
}
