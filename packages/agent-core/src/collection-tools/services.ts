import type { Collection, SearchAnswer, SearchBody } from '@docwright/contract';

/** The collections of one organization. A missing collection is a DomainError of kind `not_found`. */
export interface CollectionToolServices {
  readonly collections: {
    /** The newest first. */
    list(page: {
      skip: number;
      limit: number;
    }): Promise<{ collections: Collection[]; total_count: number; skip: number; limit: number }>;
    search(collection_id: string, search: SearchBody): Promise<SearchAnswer>;
  };
}
