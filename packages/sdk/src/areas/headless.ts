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
import type { PageRequest } from './page-request.ts';

type ScheduleList = z.infer<typeof scheduleList>;
type ProposalList = z.infer<typeof proposalList>;
type RunList = z.infer<typeof runList>;
type RunDocumentList = z.infer<typeof runDocumentList>;
export type ScheduleQuery = Partial<z.infer<typeof scheduleListQuery>>;
export type RunQuery = Partial<z.infer<typeof runListQuery>>;
export type RunDocumentQuery = Partial<z.infer<typeof runDocumentListQuery>>;

export interface StartAutoCreateOptions extends CallOptions, StartAutoCreateBody {}

/** Unattended proposals of the agent: schema, prompt and extraction of one document. */
export function createAutoCreate(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'auto_create', ...rest];
  return {
    /** Starts a run; `documents.get` returns its state. With `on_ask: 'park'`, calls that need approval wait in the inbox. */
    start: (documentId: string, { on_ask, ...options }: StartAutoCreateOptions = {}): Promise<Document> =>
      api.send('POST', at(documentId), on_ask === undefined ? undefined : { on_ask }, options),
    /** Accepts the proposal. With a tag, its prompt applies to every document with that tag. */
    accept: (documentId: string, tagId?: string, options?: CallOptions): Promise<Document> =>
      api.send('POST', at(documentId, 'accept'), tagId === undefined ? {} : { tag_id: tagId }, options),
    /** Removes the resources of the proposal. */
    reject: (documentId: string, options?: CallOptions): Promise<Document> =>
      api.send('POST', at(documentId, 'reject'), undefined, options),
  };
}

/** Proposals by kind of document. A decision applies to all documents of a kind, or to some. */
export function createProposals(api: OrganizationApi) {
  const list = (page: PageRequest = {}, options?: CallOptions): Promise<ProposalList> =>
    api.get(['proposals'], { ...page }, options);
  return {
    /** Without the values. */
    list,
    listAll: listAllOf(list, ({ proposals }) => proposals),
    /** With the values of every document. */
    get: (proposalId: string, options?: CallOptions): Promise<Proposal> =>
      api.get(['proposals', proposalId], {}, options),
    accept: (proposalId: string, body: AcceptKindBody = {}, options?: CallOptions): Promise<KindDecision> =>
      api.send('POST', ['proposals', proposalId, 'accept'], body, options),
    reject: (proposalId: string, body: RejectKindBody = {}, options?: CallOptions): Promise<KindDecision> =>
      api.send('POST', ['proposals', proposalId, 'reject'], body, options),
  };
}

export function createSchedules(api: OrganizationApi) {
  const list = (query: ScheduleQuery = {}, options?: CallOptions): Promise<ScheduleList> =>
    api.get(['schedules'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ schedules }) => schedules),
    create: (body: z.input<typeof createScheduleBody>, options?: CallOptions): Promise<Schedule> =>
      api.send('POST', ['schedules'], body, options),
    get: (scheduleId: string, options?: CallOptions): Promise<Schedule> =>
      api.get(['schedules', scheduleId], {}, options),
    update: (scheduleId: string, body: PatchScheduleBody, options?: CallOptions): Promise<Schedule> =>
      api.send('PATCH', ['schedules', scheduleId], body, options),
    delete: (scheduleId: string, options?: CallOptions): Promise<void> =>
      api.delete(['schedules', scheduleId], options),
    /** Runs the schedule immediately. */
    run: (scheduleId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['schedules', scheduleId, 'run'], undefined, options),
    runs: (scheduleId: string, query: PageRequest = {}, options?: CallOptions): Promise<RunList> =>
      api.get(['schedules', scheduleId, 'runs'], { ...query }, options),
  };
}

/** Unattended runs over many documents. */
export function createRuns(api: OrganizationApi) {
  const list = (query: RunQuery = {}, options?: CallOptions): Promise<RunList> =>
    api.get(['runs'], { ...query }, options);

  /** The state of a run and the result of each document, up to `done`. A lost connection is reopened. */
  const events = (runId: string, options?: CallOptions): AsyncGenerator<RunEvent, void, undefined> =>
    followEvents(api, ['runs', runId, 'events'], 'done', options);

  return {
    list,
    listAll: listAllOf(list, ({ runs }) => runs),
    /** Sends a message to the agent of each document. */
    start: (body: z.input<typeof createRunBody>, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs'], body, options),
    get: (runId: string, options?: CallOptions): Promise<Run> => api.get(['runs', runId], {}, options),
    /** The result of each document. */
    documents: (runId: string, query: RunDocumentQuery = {}, options?: CallOptions): Promise<RunDocumentList> =>
      api.get(['runs', runId, 'documents'], { ...query }, options),
    stop: (runId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs', runId, 'stop'], undefined, options),
    /** Undoes the run's writes in every document; `events` shows the progress. A second call retries what remained. */
    undo: (runId: string, options?: CallOptions): Promise<Run> =>
      api.send('POST', ['runs', runId, 'undo'], undefined, options),
    events,
    /** Waits until a run has finished. */
    async wait(runId: string, options?: CallOptions): Promise<Run> {
      for await (const event of events(runId, options)) if (event.type === 'done') return event.run;
      throw clientError('connection_lost', `The connection to run ${runId} was lost. It continues on the server.`);
    },
  };
}
