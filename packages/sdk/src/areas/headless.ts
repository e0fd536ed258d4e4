import type {
  AcceptKindBody,
  createRunBody,
  createScheduleBody,
  Document,
  KindDecision,
  PatchScheduleBody,
  Proposal,
  proposalList,
  RejectKindBody,
  Run,
  runDocumentList,
  runDocumentListQuery,
  RunEvent,
  runList,
  runListQuery,
  Schedule,
  scheduleList,
  scheduleListQuery,
  StartAutoCreateBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { clientError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import { followEvents } from '../client/follow-events.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

type ScheduleList = z.infer<typeof scheduleList>;
type ProposalList = z.infer<typeof proposalList>;
type RunList = z.infer<typeof runList>;
type RunDocumentList = z.infer<typeof runDocumentList>;
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
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'auto_create', ...rest];
  return {
    /** Starts a proposal; `documents.get` returns its state. With `on_ask: 'park'`, calls that need approval wait in the inbox. */
    start: (documentId: string, { on_ask, ...options }: StartAutoCreateOptions = {}): Promise<Document> =>
      api.send('POST', at(documentId), on_ask === undefined ? undefined : { on_ask }, options),
    /** Accepts the proposal. With a tag, its prompt applies to every document with that tag. */
    accept: (documentId: string, tagId?: string, options?: CallOptions): Promise<Document> =>
      api.send('POST', at(documentId, 'accept'), tagId === undefined ? {} : { tag_id: tagId }, options),
    /** Rejects the proposal, and deletes the schema and prompt that it created. */
    reject: (documentId: string, options?: CallOptions): Promise<Document> =>
      api.send('POST', at(documentId, 'reject'), undefined, options),
  };
}

/** Proposals by kind of document. A decision applies to all documents of a kind, or to some. */
export function createProposals(api: OrganizationApi) {
  const list = (page: PageRequest = {}, options?: CallOptions): Promise<ProposalList> =>
    api.get(['proposals'], { ...page }, options);
  return {
    /** Lists a page of kinds with pending proposals, without values. */
    list,
    /** Yields all kinds with pending proposals, without values. */
    listAll: listAllOf(list, ({ proposals }) => proposals),
    /** The proposal of a kind, with the values of its documents. */
    get: (proposalId: string, options?: CallOptions): Promise<Proposal> =>
      api.get(['proposals', proposalId], {}, options),
    /** Accepts the proposal for all documents of the kind, or for those in `document_ids`. */
    accept: (proposalId: string, body: AcceptKindBody = {}, options?: CallOptions): Promise<KindDecision> =>
      api.send('POST', ['proposals', proposalId, 'accept'], body, options),
    /** Rejects the proposal for all documents of the kind, or for those in `document_ids`. */
    reject: (proposalId: string, body: RejectKindBody = {}, options?: CallOptions): Promise<KindDecision> =>
      api.send('POST', ['proposals', proposalId, 'reject'], body, options),
  };
}

/** Actions that run regularly on the documents of a filter. */
export function createSchedules(api: OrganizationApi) {
  const list = (query: ScheduleQuery = {}, options?: CallOptions): Promise<ScheduleList> =>
    api.get(['schedules'], { ...query }, options);
  return {
    /** Lists a page of schedules. */
    list,
    /** Yields all schedules. */
    listAll: listAllOf(list, ({ schedules }) => schedules),
    /** Creates a schedule with `cron` or `every`. */
    create: (body: z.input<typeof createScheduleBody>, options?: CallOptions): Promise<Schedule> =>
      api.send('POST', ['schedules'], body, options),
    /** A schedule with its next due time. */
    get: (scheduleId: string, options?: CallOptions): Promise<Schedule> =>
      api.get(['schedules', scheduleId], {}, options),
    /** Changes the given fields; null removes a value. */
    update: (scheduleId: string, body: PatchScheduleBody, options?: CallOptions): Promise<Schedule> =>
      api.send('PATCH', ['schedules', scheduleId], body, options),
    /** Deletes a schedule. Its runs are kept. */
    delete: (scheduleId: string, options?: CallOptions): Promise<void> =>
      api.delete(['schedules', scheduleId], options),
    /** Starts a run of the schedule now. */
    run: (scheduleId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['schedules', scheduleId, 'run'], undefined, options),
    /** Lists a page of the runs of a schedule, the newest first. */
    runs: (scheduleId: string, query: PageRequest = {}, options?: CallOptions): Promise<RunList> =>
      api.get(['schedules', scheduleId, 'runs'], { ...query }, options),
  };
}

/** Unattended runs over many documents. */
export function createRuns(api: OrganizationApi) {
  const list = (query: RunQuery = {}, options?: CallOptions): Promise<RunList> =>
    api.get(['runs'], { ...query }, options);

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
    start: (body: z.input<typeof createRunBody>, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs'], body, options),
    /** The current state of a run. */
    get: (runId: string, options?: CallOptions): Promise<Run> => api.get(['runs', runId], {}, options),
    /** Lists a page of documents of a run, each with its result. */
    documents: (runId: string, query: RunDocumentQuery = {}, options?: CallOptions): Promise<RunDocumentList> =>
      api.get(['runs', runId, 'documents'], { ...query }, options),
    /** Stops a run. Finished documents remain changed. */
    stop: (runId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs', runId, 'stop'], undefined, options),
    /** Starts to undo the changes of a run; `events` shows the progress. Another call retries documents with conflicts. */
    undo: (runId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs', runId, 'undo'], undefined, options),
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
