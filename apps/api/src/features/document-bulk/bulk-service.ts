import {
  DomainError,
  maxBulkDocuments,
  maxModelBulkDocuments,
  type CreateDocumentBulkBody,
  type DocumentBulk,
  type DocumentBulkAction,
  type PageQuery,
  type RunAction,
  type UndoBody,
} from '@docwright/contract';
import { declareWrites, type AuditWrites, type NoteWrite } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { ArrivalService } from '../arrivals/index.ts';
import type { RunService } from '../runs/index.ts';
import type { RequireUnverified } from '../undo/index.ts';
import type { BulkEstimates } from './bulk-estimate-service.ts';
import { requireFields } from './bulk-body.ts';
import { presentBulk } from './bulk-presentation.ts';
import type { BulkRepository, StoredBulk } from './bulk-repository.ts';
import { bulkUndoPeriodMs } from './bulk-model.ts';
import type { DocumentChoiceRepository } from './document-choice-repository.ts';
import { presentEachLater } from '../../platform/records/unreadable-records.ts';
import { newId } from '../../platform/database/object-id.ts';
import type { PageEnd } from '../../platform/database/page.ts';

export interface BulkServiceDependencies {
  auditWrites: AuditWrites;
  bulkOf: (organizationId: string) => BulkRepository;
  choicesOf: (actor: Actor) => DocumentChoiceRepository;
  runs: (actor: Actor) => Pick<RunService, 'start' | 'create' | 'get' | 'stop' | 'undo'>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  arrivals: Pick<ArrivalService, 'wouldStart'>;
  estimates: (actor: Actor) => BulkEstimates;
  requireUnverified: RequireUnverified;
  /** Wakes a worker. */
  wake: () => Promise<void>;
}

/** The bulk jobs that a user can see: their own ones, or all for an admin. */
export type BulkService = ReturnType<typeof bulkServiceFor>;

/** Bulk jobs of one organization that can be active at once. */
const maxActive = 20;

/** Tags that start more extractions than this are given to many documents only once that is confirmed. */
const maxUnasked = 20;

type Noted = Awaited<ReturnType<NoteWrite>>;

const runActions: Partial<Record<DocumentBulkAction, RunAction>> = {
  extract: 'run_extraction',
  auto_create: 'auto_create',
  message: 'chat',
};

/** A job has one entry for all of its documents. */
const writes = declareWrites<BulkService>({
  create: {
    tool: 'bulk_change',
    takes: ['...', 'note'],
  },
  stop: { tool: 'stop_bulk_change', takes: ['bulk_id', 'note'] },
  undo: { tool: 'undo_bulk_change', takes: ['bulk_id', '...', 'note'] },
});

export function createBulkService(dependencies: BulkServiceDependencies): (actor: Actor) => BulkService {
  return dependencies.auditWrites(writes, (actor) => bulkServiceFor(actor, dependencies));
}

function bulkServiceFor(actor: Actor, dependencies: BulkServiceDependencies) {
  const { checkTags, promptExists, wake } = dependencies;
  const { organizationId } = actor;
  const jobs = dependencies.bulkOf(organizationId);
  const choices = dependencies.choicesOf(actor);
  const runs = dependencies.runs(actor);

  async function find(id: string): Promise<StoredBulk> {
    const bulk = await jobs.get(id);
    const isVisible = bulk && (actor.role === 'admin' || bulk.requested_by.toHexString() === actor.userId);
    if (!isVisible) throw new DomainError('not_found', 'bulk_not_found', 'There is no such bulk job.');
    return bulk;
  }

  async function present(bulk: StoredBulk): Promise<DocumentBulk> {
    const run = bulk.run_id === null ? undefined : await runs.get(bulk.run_id.toHexString());
    const names = await choices.names((run ?? bulk).failures.map(({ document_id }) => document_id));
    return presentBulk(bulk, run, (id) => names.get(id));
  }

  async function choose(body: CreateDocumentBulkBody): Promise<string[]> {
    const max = runActions[body.action] === undefined ? maxBulkDocuments : maxModelBulkDocuments;
    const from = body.action === 'restore' || body.action === 'purge' ? 'trash' : 'list';
    const chosen = body.document_ids
      ? [...new Set(body.document_ids)]
      : await choices.find(body.query ?? {}, from, max);
    if (chosen.length > max) {
      const message = `The query matches more than ${max} documents, the limit of ${body.action}. Narrow it, for example by a tag.`;
      throw new DomainError('invalid', 'too_many_documents', message);
    }
    const { expected_count } = body;
    if (expected_count !== undefined && expected_count !== chosen.length) {
      throw new DomainError(
        'conflict',
        'selection_changed',
        `The query now matches ${chosen.length} documents instead of ${expected_count}. Check the list again, then repeat.`,
        { count: chosen.length },
      );
    }
    return chosen;
  }

  async function startRun(
    { id, action }: { id: string; action: RunAction },
    body: CreateDocumentBulkBody,
    chosen: string[],
  ): Promise<void> {
    const named_ids = body.document_ids ? await choices.existing(chosen) : chosen;
    if (named_ids.length === 0) {
      throw new DomainError('invalid', 'documents_needed', 'None of the documents exists. Choose others.');
    }
    if (action === 'chat') {
      const { message = '', auto_approved_tools = [], on_ask = 'deny' } = body;
      await runs.create({ document_ids: named_ids, message, auto_approved_tools, on_ask }, id);
      return;
    }
    await runs.start({
      id,
      schedule_id: null,
      trigger: 'direct',
      action,
      filter: null,
      named_ids,
      max_documents: null,
      prompt_id: body.prompt_id ?? null,
      message: body.message ?? null,
      auto_approved_tools: [],
      ...(body.on_ask === undefined ? {} : { on_ask: body.on_ask }),
      requested_by: actor.userId,
      role: actor.role,
      due_at: null,
    });
  }

  /** The documents of the job: with `only_estimated` those that it can concern. */
  async function takenOf(body: CreateDocumentBulkBody, chosen: string[]): Promise<string[]> {
    const { action, only_estimated = false, prompt_id } = body;
    if (!only_estimated || (action !== 'extract' && action !== 'auto_create')) return chosen;
    const taken = await dependencies.estimates(actor).estimated(chosen, { action, prompt_id });
    if (taken.length > 0) return taken;
    const message =
      'None of the documents can be part of it: POST …/documents/bulk/estimate says why. Choose others, or a prompt.';
    throw new DomainError('invalid', 'documents_needed', message);
  }

  /** Throws `confirm_required` if the tags start many extractions that the caller has not agreed to. */
  async function requireConfirmed({ tag_ids = [], confirm }: CreateDocumentBulkBody, chosen: string[]): Promise<void> {
    const started = await dependencies.arrivals.wouldStart(organizationId, chosen, tag_ids);
    const extractions = started.reduce((sum, each) => sum + each.extractions, 0);
    if (extractions <= maxUnasked || confirm?.extractions === extractions) return;
    let spu_estimated = 0;
    const document_ids = chosen.slice(0, maxModelBulkDocuments);
    for (const { promptId, extractions: count } of started) {
      const { by_prompt } = await dependencies.estimates(actor).estimate({ document_ids, prompt_id: promptId });
      for (const each of by_prompt) spu_estimated += Math.ceil((each.spu_estimated / each.documents) * count);
    }
    throw new DomainError(
      'conflict',
      'confirm_required',
      `The tags start ${extractions} extractions, for about ${spu_estimated} SPU. Repeat the request with "confirm": { "extractions": ${extractions} }.`,
      { extractions, spu_estimated },
    );
  }

  return {
    async list(page: PageQuery): Promise<{ bulk_jobs: DocumentBulk[]; skip: number; limit: number } & PageEnd> {
      const { jobs: found, ...end } = await jobs.list(page, actor.role === 'admin' ? undefined : actor.userId);
      const { skip, limit } = page;
      return { bulk_jobs: await presentEachLater(found, present), ...end, skip, limit };
    },
    /** Throws `bulk_not_found`. */
    async get(id: string): Promise<DocumentBulk> {
      return await present(await find(id));
    },
    async create(body: CreateDocumentBulkBody, note?: NoteWrite): Promise<DocumentBulk> {
      requireFields(body);
      if (body.tag_ids) await checkTags(organizationId, body.tag_ids);
      if (body.prompt_id !== undefined && !(await promptExists(organizationId, body.prompt_id))) {
        const message = 'There is no such prompt. Use a prompt_id from the list of prompts.';
        throw new DomainError('invalid', 'unknown_reference', message);
      }
      const runAction = runActions[body.action];
      if (runAction === undefined && (await jobs.countActive()) >= maxActive) {
        const message = `${maxActive} bulk jobs of this organization are active. Wait until some have ended, or stop some.`;
        throw new DomainError('conflict', 'too_many_bulk_jobs', message);
      }
      const chosen = await choose(body);
      if (body.action === 'tag') await requireConfirmed(body, chosen);
      const taken = await takenOf(body, chosen);
      const id = newId();
      const run = runAction && { id: newId(), action: runAction };
      const fields = { bulk_id: id, documents: taken.length, ...(run && { run_id: run.id }), ...body };
      // A run works from its start on: the log names it also if the server is killed before its job is stored.
      const shown = run ? ({ kind: 'run', recordId: run.id } as const) : ({ kind: 'bulk', recordId: id } as const);
      const noted = await note?.({ ...shown, fields });
      if (run) await unlessRefused(noted, () => startRun(run, body, taken));
      const created = await jobs.insert({
        id,
        applied_calls: [...(noted?.callIds ?? [])],
        action: body.action,
        query: body.document_ids ? null : (body.query ?? {}),
        document_ids: taken,
        left_out: chosen.length - taken.length,
        tag_ids: [...new Set(body.tag_ids)],
        prompt_id: body.prompt_id ?? null,
        message: body.message ?? null,
        run_id: run?.id ?? null,
        requested_by: actor.userId,
        role: actor.role,
        state: 'queued',
      });
      if (runAction === undefined) await wake();
      return await present(created);
    },
    /** Ends the job after the documents in progress. Throws `bulk_ended` if it has ended. */
    async stop(id: string, note?: NoteWrite): Promise<DocumentBulk> {
      const bulk = await find(id);
      const ended = new DomainError('conflict', 'bulk_ended', 'This bulk job has already ended.');
      if (bulk.run_id === null) {
        const noted = await note?.({ kind: 'bulk', recordId: id });
        if (!(await jobs.requestStop(id, noted?.callIds))) throw ended;
        await wake();
      } else {
        const run = await runs.get(bulk.run_id.toHexString());
        if (run.ended_at !== null) throw ended;
        const noted = await note?.({ kind: 'bulk', recordId: id });
        await unlessRefused(noted, () => runs.stop(run.id, noted?.callIds));
      }
      return await present(await find(id));
    },
    /** Starts the undo of the job; does nothing if that is done or active. Throws `documents_verified`. */
    async undo(id: string, body?: UndoBody, note?: NoteWrite): Promise<DocumentBulk> {
      const bulk = await find(id);
      if (bulk.action === 'purge') {
        throw notUndoable('Documents that were removed for good cannot be restored.');
      }
      if (bulk.run_id !== null) {
        const runId = bulk.run_id.toHexString();
        const noted = await note?.({ kind: 'bulk', recordId: id });
        await unlessRefused(noted, () => runs.undo(runId, noted?.callIds));
        return await present(await find(id));
      }
      if (bulk.ended_at === null) {
        const message = 'A bulk job can be undone once it has ended. Stop it, or wait until it is done.';
        throw new DomainError('conflict', 'bulk_active', message);
      }
      if (bulk.ended_at.getTime() + bulkUndoPeriodMs < Date.now()) {
        const message = 'A bulk job can be undone within 30 days, and this one is older. Edit the documents instead.';
        throw new DomainError('gone', 'undo_expired', message);
      }
      if (bulk.action === 'restore' && bulk.undo === null && body?.including_verified !== true) {
        const restoredIds = await jobs.restoredBy(id);
        await dependencies.requireUnverified(organizationId, { restoredIds });
      }
      const noted = await note?.({ kind: 'bulk', recordId: id });
      if (await jobs.requestUndo(id, noted?.callIds)) await wake();
      return await present(await find(id));
    },
  };
}

/** What is refused is not made, and gets no entry in the audit log. */
async function unlessRefused<Made>(noted: Noted | undefined, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof DomainError) await noted?.withdraw();
    throw error;
  }
}

function notUndoable(message: string): DomainError {
  return new DomainError('conflict', 'bulk_not_undoable', message);
}
