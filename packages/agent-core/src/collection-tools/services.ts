import type {
  Collection,
  ResultPage,
  ResultQuery,
  ResultSummary,
  SearchAnswer,
  SearchBody,
  SummaryQuery,
} from '@docwright/contract';

/** The collections and results of one organization. A missing collection is a DomainError of kind `not_found`. */
export interface CollectionToolServices {
  readonly collections: {
    /** The newest first. */
    list(page: {
      skip: number;
      limit: number;
      /** The `next_cursor` of the page before. */
      cursor?: string | undefined;
    }): Promise<{
      collections: Collection[];
      total_count: number;
      skip: number;
      limit: number;
      /** Absent on the last page. */
      next_cursor?: string | undefined;
    }>;
    search(collection_id: string, search: SearchBody): Promise<SearchAnswer>;
  };
  /** Results of a prompt over many documents. A missing prompt is a DomainError of kind `not_found`. */
  readonly results: {
    query(promptId: string, query: ResultQuery): Promise<ResultPage>;
    summary(promptId: string, query: SummaryQuery): Promise<ResultSummary>;
  };
}
