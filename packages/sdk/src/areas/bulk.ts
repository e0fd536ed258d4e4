import type {
  createDocumentBulkBody,
  DocumentBulk,
  DocumentBulkEvent,
  TrashListQuery,
  UndoBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** The body of `bulk.start`: the action and its fields, and either `query` or `document_ids`. */
export type BulkRequest = z.input<typeof createDocumentBulkBody>;
/** Filter, order and page of `trash.list`. By default the last deleted document comes first. */
export type TrashQuery = Partial<TrashListQuery>;

/** One action over many documents. */
export function createBulk(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/documents/bulk', 'query');

  const undo = api.operation('POST /v0/orgs/:org_id/documents/bulk/:bulk_id/undo', 'body');

  /** The state of the job after every change, up to `done`. A lost connection is reopened. */
  const events = (bulkId: string, options?: CallOptions): AsyncGenerator<DocumentBulkEvent, void, undefined> =>
    followEvents(api, ['documents', 'bulk', bulkId, 'events'], 'done', options);

  return {
    /** Lists a page of jobs, the newest first. */
    list,
    /** Yields all jobs, the newest first. */
    listAll: listAllOf(list, ({ bulk_jobs }) => bulk_jobs),
    /**
     * Starts a job over the named documents, or over all documents that match the query.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const tagId = '652f1c0a9d3e4b5f6a7b8c9d';
     * await docwright.bulk.start({ query: { name_search: 'letter' }, action: 'tag', tag_ids: [tagId] });
     * ```
     */
    start: api.operation('POST /v0/orgs/:org_id/documents/bulk', 'body'),
    /** The current state of a job. */
    get: api.operation('GET /v0/orgs/:org_id/documents/bulk/:bulk_id'),
    /** Stops the job after the documents in progress. */
    stop: api.operation('POST /v0/orgs/:org_id/documents/bulk/:bulk_id/stop'),
    /**
     * Starts to undo the changes of the job; `wait` waits for the undo too.
     *
     * @throws DocwrightError `documents_verified` unless `including_verified` is set: the undo of a restore would remove
     * documents with results that users have verified.
     */
    undo: (
      bulkId: string,
      { including_verified, ...options }: CallOptions & NonNullable<UndoBody> = {},
    ): Promise<DocumentBulk> =>
      undo(bulkId, including_verified === undefined ? undefined : { including_verified }, options),
    events,
    /**
     * Waits until a job, or its undo, has finished.
     *
     * @throws DocwrightError `connection_lost` if the connection is lost too often. The job continues.
     */
    async wait(bulkId: string, options?: CallOptions): Promise<DocumentBulk> {
      for await (const event of events(bulkId, options)) if (event.type === 'done') return event.bulk;
      throw clientError('connection_lost', `The connection to job ${bulkId} was lost. It continues on the server.`);
    },
  };
}

/** Deleted documents. They can be restored for 30 days. */
export function createTrash(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/documents/trash', 'query');
  return {
    /** Lists a page of deleted documents. */
    list,
    /** Yields all deleted documents. */
    listAll: listAllOf(list, ({ documents }) => documents),
    /** Moves a document back from the trash. */
    restore: api.operation('POST /v0/orgs/:org_id/documents/:document_id/restore'),
    /** Deletes a document permanently. */
    purge: api.operation('DELETE /v0/orgs/:org_id/documents/trash/:document_id'),
  };
}
