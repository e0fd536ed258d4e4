import type { Passage } from '@docwright/contract';

/** The place in a document or its metadata where a text was found. */
export type DocumentPlace = Pick<Passage, 'found_in' | 'page_num'>;

/** An object of the organization: all its ids and names. */
export interface KnownObject {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** The names of a schema's fields. They name no object, and a document can have dictated them. */
  readonly fields?: readonly string[];
}
