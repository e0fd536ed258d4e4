import type {
  BackfillBody,
  ResultPage,
  ResultQuery,
  ResultRow,
  ResultSummary,
  SummaryQuery,
} from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** A query of results. Lists are arrays. */
export type ResultsRequest = Partial<Omit<ResultQuery, 'is_verified'>> & { is_verified?: boolean };

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Results of a prompt over many documents: the newest one of each. */
export function createResults(api: OrganizationApi) {
  const at = (promptId: string, ...rest: string[]) => ['prompts', promptId, 'results', ...rest];
  const queryOf = ({ columns, document_ids, ...query }: ResultsRequest) => ({
    ...query,
    ...(document_ids && { document_ids: document_ids.join(',') }),
    ...(columns && { columns: columns.join(',') }),
  });
  const list = (promptId: string, query: ResultsRequest = {}, options?: CallOptions): Promise<ResultPage> =>
    api.get(at(promptId), queryOf(query), options);
  return {
    /**
     * Lists a page of rows.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { rows, total_count } = await docwright.results.list('652f1c0a9d3e4b5f6a7b8c9d', {
     *   where: 'total>=1000 and supplier~acme',
     *   sort: '-total',
     * });
     * console.log(total_count, rows[0]?.fields['total']);
     * ```
     */
    list,
    /** Yields all selected rows, page after page. */
    async *listAll(promptId: string, query: ResultsRequest = {}, options?: CallOptions): AsyncGenerator<ResultRow> {
      let cursor: string | null | undefined = query.cursor;
      do {
        const page: ResultPage = await list(promptId, { limit: 500, ...query, ...(cursor && { cursor }) }, options);
        yield* page.rows;
        cursor = page.next_cursor;
      } while (cursor !== null);
    },
    /** Totals by the values of one or two columns. */
    summary: (
      promptId: string,
      {
        group_by,
        ...query
      }: Partial<Omit<SummaryQuery, 'is_verified' | 'group_by'>> & { is_verified?: boolean; group_by?: string[] } = {},
      options?: CallOptions,
    ): Promise<ResultSummary> =>
      api.get(at(promptId, 'summary'), { ...query, ...(group_by && { group_by: group_by.join(',') }) }, options),
    /** Saved views: the caller's own, and those that others share. */
    views: api.operation('GET /v0/orgs/:org_id/prompts/:prompt_id/views'),
    /** Saves a view. It replaces the caller's view of the same name. */
    saveView: api.operation('POST /v0/orgs/:org_id/prompts/:prompt_id/views', 'body'),
    /** Deletes a saved view: an own one, or as an admin a shared one. */
    deleteView: api.operation('DELETE /v0/orgs/:org_id/prompts/:prompt_id/views/:view_id'),
    /**
     * Runs the current revision of the prompt on documents that were there before. Without `confirm` it throws
     * `confirm_required`, whose `details` are the estimate.
     */
    backfill: (promptId: string, body: Partial<BackfillBody> = {}, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/prompts/:prompt_id/backfill', 'body')(promptId, body, options),
    /** What a back-fill has changed, in leaves. */
    backfillReport: api.operation('GET /v0/orgs/:org_id/prompts/:prompt_id/backfill/:run_id'),
    /**
     * All selected rows as a file. The body of the response is streamed.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const file = await docwright.results.export('652f1c0a9d3e4b5f6a7b8c9d', 'csv', { sort: 'total' });
     * for await (const bytes of file.body!) console.log(bytes.length);
     * ```
     */
    export: (
      promptId: string,
      format: 'csv' | 'ndjson' | 'xlsx',
      query: Omit<ResultsRequest, 'cursor' | 'limit'> = {},
      options?: CallOptions,
    ): Promise<Response> => api.open(at(promptId), { ...options, headers: { accept: types[format] } }, queryOf(query)),
  };
}
