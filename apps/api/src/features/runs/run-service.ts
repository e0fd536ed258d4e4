import {
  DomainError,
  maxDocumentsInRun,
  type CreateRunBody,
  type MatchingDocuments,
  type MatchingDocumentsBody,
  type Run,
  type RunDocument,
  type runDocumentListQuery,
} from '@docwright/contract';
import type { z } from 'zod';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { HeadlessQueue, HeadlessState } from '../headless/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { ReadIncompleteResults } from '../documents/index.ts';
import type { MatchingDocumentRepository } from '../extractions/index.ts';
import { presentDocumentRun, presentRefused, presentRun } from './run-presentation.ts';
import type { NewRun, RunQuery, RunRepository, StoredRun } from './run-repository.ts';
import { presentEach, presentEachLater } from '../../platform/records/unreadable-records.ts';
import { newId } from '../../platform/database/object-id.ts';
import { cursorBehind, isOfMemory, pageOfItems, type PageEnd } from '../../platform/database/page.ts';

interface RunServiceDependencies {
  runsOf: (organizationId: string) => RunRepository;
  matchingOf: (organizationId: string) => MatchingDocumentRepository;
  incompleteResults: ReadIncompleteResults;
  queue: HeadlessQueue;
  toolNames: readonly string[];
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  /** The user who created a schedule; undefined if it was deleted. */
  scheduleCreator: (organizationId: string, scheduleId: string) => Promise<string | undefined>;
  /** Makes a worker poll the runs now. */
  wake: () => Promise<void>;
  /** Wakes a worker that undoes runs. */
  wakeUndo: () => Promise<void>;
}

type DocumentQuery = z.infer<typeof runDocumentListQuery>;
interface Page extends PageEnd {
  skip: number;
  limit: number;
}

/** The runs that one user can see: those of schedules and their own; admins see all. Throws `run_not_found`. */
export type RunService = ReturnType<typeof runServiceFor>;

/** The maximum number of active runs of one organization. */
const maxActive = 100;

export function createRunService(dependencies: RunServiceDependencies): (actor: Actor) => RunService {
  return (actor) => runServiceFor(actor, dependencies);
}

function runServiceFor(actor: Actor, dependencies: RunServiceDependencies) {
  const { queue, incompleteResults, toolNames, checkTags, promptExists, scheduleCreator, wake, wakeUndo } =
    dependencies;
  const { organizationId } = actor;
  const runs = dependencies.runsOf(organizationId);
  const matching = dependencies.matchingOf(organizationId);

  async function getOrThrow(id: string): Promise<StoredRun> {
    const run = await runs.get(id);
    const isVisible = run !== undefined && (actor.role === 'admin' || run.schedule_id !== null || isOwn(run));
    if (!isVisible) throw new DomainError('not_found', 'run_not_found', 'There is no such run.');
    return run;
  }

  /** Runs that start on arrival belong to the organization. */
  const isOwn = (run: StoredRun) => run.requested_by === actor.userId || run.trigger === 'arrival';

  async function requireOwner(run: StoredRun): Promise<void> {
    requireWriter(actor);
    if (actor.role === 'admin' || isOwn(run)) return;
    if (run.schedule_id !== null && (await scheduleCreator(organizationId, run.schedule_id)) === actor.userId) return;
    throw new DomainError('forbidden', 'not_yours', 'This run belongs to another user. Ask them or an admin.');
  }

  async function start(run: NewRun): Promise<Run> {
    requireWriter(actor);
    if ((await runs.countActive()) >= maxActive) {
      const message = `This organization has ${maxActive} active runs, the maximum. Wait until some end, or stop some.`;
      throw new DomainError('conflict', 'too_many_runs', message);
    }
    const started = await runs.insert(run);
    if (started === undefined) {
      const message = 'A run of this schedule is still active. Wait for its end or stop it first.';
      throw new DomainError('conflict', 'run_going', message);
    }
    await wake();
    return await presentRun(started, queue);
  }

  return {
    /**
     * Starts a run. Throws `run_going` if a run of its schedule is active, `too_many_runs` at the organization's limit of
     * active runs.
     */
    start,
    async list(query: Omit<RunQuery, 'visibleTo'>): Promise<{ runs: Run[] } & Page> {
      const visibleTo = actor.role === 'admin' ? undefined : actor.userId;
      const { runs: found, ...counted } = await runs.list({ ...query, visibleTo });
      const presented = await presentEachLater(found, (run) => presentRun(run, queue));
      return { runs: presented, ...counted, skip: query.skip, limit: query.limit };
    },
    async get(id: string): Promise<Run> {
      return await presentRun(await getOrThrow(id), queue);
    },
    /** The result of each document: refused ones first, then in the order of the queue; or of those changed since. */
    async documents(
      id: string,
      { state, ...page }: DocumentQuery,
      changedSince?: Date,
    ): Promise<{ documents: RunDocument[] } & Page> {
      const run = await getOrThrow(id);
      const refused = state === undefined || state === 'failed' ? run.refused.map((entry) => entry.document_id) : [];
      const { skip, limit, cursor } = page;
      const isBehind = cursor !== undefined && !isOfMemory(cursor);
      const { items: shown, beyond } = pageOfItems(
        isBehind ? [] : refused,
        isBehind ? { skip: 0, limit } : page,
        String,
      );
      const rest = {
        ...(isBehind ? page : { skip: beyond }),
        limit: limit - shown.length,
        ...(state === undefined ? {} : { states: [state] satisfies HeadlessState[] }),
        ...(changedSince && { changedSince }),
      };
      // A page that holds none of the queue's still needs their number.
      const { documentRuns, ...counted } = await queue.listOfRun(organizationId, id, {
        ...rest,
        limit: Math.max(rest.limit, 1),
      });
      const taken = documentRuns.slice(0, rest.limit);
      const { next_cursor: _, ...withoutCursor } = counted;
      const last = shown.at(-1);
      const hasMore = last !== undefined && (last !== refused.at(-1) || (rest.limit === 0 && documentRuns.length > 0));
      const ids = [...shown, ...taken.map((entry) => entry.documentId)];
      const [names, incomplete] = await Promise.all([matching.namesOf(ids), incompleteResults(organizationId, ids)]);
      const nameOf = (documentId: string) => names.get(documentId) ?? null;
      const documents = [
        ...shown.map((documentId) => presentRefused(run, documentId, nameOf(documentId))),
        ...presentEach(taken, (entry) => presentDocumentRun(entry, nameOf(entry.documentId))),
      ];
      return {
        documents: documents.map((document) => {
          const incomplete_results = incomplete.get(document.document_id);
          return incomplete_results ? { ...document, incomplete_results } : document;
        }),
        ...(rest.limit > 0 ? counted : withoutCursor),
        ...(hasMore && { next_cursor: cursorBehind(last, refused.indexOf(last)) }),
        total_count: refused.length + counted.total_count,
        skip,
        limit,
      };
    },
    /** Counts the documents that a run would process if it started now. */
    async matching({
      filter,
      prompt_id: promptId,
      max_documents: limit = maxDocumentsInRun,
    }: MatchingDocumentsBody): Promise<MatchingDocuments> {
      if (filter.tag_ids) await checkTags(organizationId, filter.tag_ids);
      if (promptId !== undefined && !(await promptExists(organizationId, promptId))) {
        throw invalid('unknown_reference', 'There is no such prompt. List the prompts and use a prompt_id from there.');
      }
      const { matched, documentIds } = await matching.find(filter, { promptId, limit });
      return { matched, total: documentIds.length };
    },
    /**
     * Starts an unattended chat with each document. Throws as `start` does.
     *
     * @param id of the run
     */
    async create(body: CreateRunBody, id = newId()): Promise<Run> {
      requireWriter(actor);
      const { document_ids, filter, message, auto_approved_tools, max_documents, on_ask } = body;
      if ((document_ids === undefined) === (filter === undefined)) {
        throw invalid('documents_needed', 'A run needs either document_ids or filter. Send one of them.');
      }
      const unknown = auto_approved_tools.find((name) => !toolNames.includes(name));
      if (unknown !== undefined) {
        throw invalid('unknown_tool', `auto_approved_tools contains "${unknown}", which is no tool. Remove it.`);
      }
      const named_ids = document_ids === undefined ? null : [...new Set(document_ids)];
      if (named_ids && (await matching.existing(named_ids)).length < named_ids.length) {
        const message = 'One of the documents does not exist. List the documents and use an id from there.';
        throw invalid('unknown_reference', message);
      }
      if (filter?.tag_ids) await checkTags(organizationId, filter.tag_ids);
      return await start({
        id,
        schedule_id: null,
        trigger: 'direct',
        action: 'chat',
        filter: filter ?? null,
        named_ids,
        max_documents: max_documents ?? null,
        prompt_id: null,
        replace: null,
        on_ask,
        message,
        auto_approved_tools: [...new Set(auto_approved_tools)],
        requested_by: actor.userId,
        role: actor.role,
        due_at: null,
      });
    },
    /**
     * Requests that a worker undoes the writes of each document; repeated, it tries the remaining ones again. Throws
     * `run_not_ended`, `undo_expired`.
     *
     * @param callIds what the run names as done by these calls
     */
    async undo(id: string, callIds?: readonly string[]): Promise<Run> {
      const run = await getOrThrow(id);
      await requireOwner(run);
      if (run.ended_at === null) {
        throw new DomainError('conflict', 'run_not_ended', 'This run is still active. Stop it or wait until it ends.');
      }
      if (run.created_at.getTime() + undoOfferedMs < Date.now()) {
        const message = 'A run can be undone within 30 days, and this one is older. Change what it wrote by hand.';
        throw new DomainError('gone', 'undo_expired', message);
      }
      await runs.requestUndo(id, actor.userId, callIds);
      await wakeUndo();
      return await presentRun(await getOrThrow(id), queue);
    },
    /**
     * Stops each document at its next safe point and withdraws pending calls. Throws `run_ended` if the run has ended and
     * no call is pending.
     *
     * @param callIds what the run names as done by these calls
     */
    async stop(id: string, callIds?: readonly string[]): Promise<Run> {
      const run = await getOrThrow(id);
      await requireOwner(run);
      const isPending = (await queue.countsOfRun(organizationId, id)).waiting > 0;
      if (!(await runs.requestStop(id, callIds)) && !isPending) {
        throw new DomainError('conflict', 'run_ended', 'This run has ended already.');
      }
      // A worker cancels documents that are queued later, and all of them if this process dies here.
      await queue.cancel(organizationId, id);
      await wake();
      return await presentRun(await getOrThrow(id), queue);
    },
  };
}

function invalid(code: string, message: string): DomainError {
  return new DomainError('invalid', code, message);
}
