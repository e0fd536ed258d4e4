import type {
  Run,
  runDocumentListQuery,
  RunEvent,
  runListQuery,
  scheduleListQuery,
  StartAutoCreateBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Filter and page of `schedules.list`. */
export type ScheduleQuery = Partial<z.infer<typeof scheduleListQuery>>;
/** Filter and page of `runs.list`. */
export type RunQuery = Partial<z.infer<typeof runListQuery>>;
/** Filter and page of `runs.documents`. */
export type RunDocumentQuery = Partial<z.infer<typeof runDocumentListQuery>>;

/** Options of `autoCreate.start`. */
export interface StartAutoCreateOptions extends CallOptions, StartAutoCreateBody {}

/** Unattended proposals of the agent: schema, prompt and extraction of one document. */
export function createAutoCreate(api: OrganizationApi) {
  return {
    /** Starts a proposal; `documents.get` returns its state. With `on_ask: 'park'`, calls that need approval wait in the inbox. */
    start: (documentId: string, { on_ask, ...options }: StartAutoCreateOptions = {}) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/auto_create', 'body')(
        documentId,
        on_ask === undefined ? undefined : { on_ask },
        options,
      ),
    /** Accepts the proposal. With a tag, its prompt applies to every document with that tag. */
    accept: (documentId: string, tagId?: string, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/auto_create/accept', 'body')(
        documentId,
        tagId === undefined ? {} : { tag_id: tagId },
        options,
      ),
    /** Rejects the proposal, and deletes the schema and prompt that it created. */
    reject: (documentId: string, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/documents/:document_id/auto_create/reject', 'body')(
        documentId,
        undefined,
        options,
      ),
  };
}

/** Proposals by kind of document. A decision applies to all documents of a kind, or to some. */
export function createProposals(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/proposals', 'query');
  return {
    /** Lists a page of kinds with pending proposals, without values. */
    list,
    /** Yields all kinds with pending proposals, without values. */
    listAll: listAllOf(list, ({ proposals }) => proposals),
    /** The proposal of a kind, with the values of its documents. */
    get: api.operation('GET /v0/orgs/:org_id/proposals/:proposal_id'),
    /** Accepts the proposal for all documents of the kind, or for those in `document_ids`. */
    accept: api.operation('POST /v0/orgs/:org_id/proposals/:proposal_id/accept', 'body'),
    /** Rejects the proposal for all documents of the kind, or for those in `document_ids`. */
    reject: api.operation('POST /v0/orgs/:org_id/proposals/:proposal_id/reject', 'body'),
  };
}

/** Actions that run regularly on the documents of a filter. */
export function createSchedules(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/schedules', 'query');
  return {
    /** Lists a page of schedules. */
    list,
    /** Yields all schedules. */
    listAll: listAllOf(list, ({ schedules }) => schedules),
    /** Creates a schedule with `cron` or `every`. */
    create: api.operation('POST /v0/orgs/:org_id/schedules', 'body'),
    /** A schedule with its next due time. */
    get: api.operation('GET /v0/orgs/:org_id/schedules/:schedule_id'),
    /** Changes the given fields; null removes a value. */
    update: api.operation('PATCH /v0/orgs/:org_id/schedules/:schedule_id', 'body'),
    /** Deletes a schedule. Its runs are kept. */
    delete: api.operation('DELETE /v0/orgs/:org_id/schedules/:schedule_id'),
    /** Starts a run of the schedule now. */
    run: api.operation('POST /v0/orgs/:org_id/schedules/:schedule_id/run'),
    /** Lists a page of the runs of a schedule, the newest first. */
    runs: api.operation('GET /v0/orgs/:org_id/schedules/:schedule_id/runs', 'query'),
  };
}

/** Unattended runs over many documents. */
export function createRuns(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/runs', 'query');

  /** Yields the state of a run and the result of each document, up to `done`. A lost connection is reopened. */
  const events = (runId: string, options?: CallOptions): AsyncGenerator<RunEvent, void, undefined> =>
    followEvents(api, ['runs', runId, 'events'], 'done', options);

  return {
    /** Lists a page of runs, the newest first. */
    list,
    /** Yields all runs that match the query, the newest first. */
    listAll: listAllOf(list, ({ runs }) => runs),
    /**
     * Starts a run, which sends a message to the agent of each document.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { id } = await docwright.runs.start({ filter: { name_search: 'invoice' }, message: 'Tag paid invoices.' });
     * const { succeeded, failed } = await docwright.runs.wait(id);
     * console.log(succeeded, failed);
     * ```
     */
    start: api.operation('POST /v0/orgs/:org_id/runs', 'body'),
    /** The current state of a run. */
    get: api.operation('GET /v0/orgs/:org_id/runs/:run_id'),
    /** Lists a page of documents of a run, each with its result. */
    documents: api.operation('GET /v0/orgs/:org_id/runs/:run_id/documents', 'query'),
    /** Stops a run. Finished documents remain changed. */
    stop: api.operation('POST /v0/orgs/:org_id/runs/:run_id/stop'),
    /** Starts to undo the changes of a run; `events` shows the progress. Another call retries documents with conflicts. */
    undo: api.operation('POST /v0/orgs/:org_id/runs/:run_id/undo'),
    events,
    /**
     * Waits until a run has finished.
     *
     * @throws DocwrightError `connection_lost` if the connection is lost too often. The run continues.
     */
    async wait(runId: string, options?: CallOptions): Promise<Run> {
      for await (const event of events(runId, options)) if (event.type === 'done') return event.run;
      throw clientError('connection_lost', `The connection to run ${runId} was lost. It continues on the server.`);
    },
  };
}
