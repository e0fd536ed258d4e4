import {
  DomainError,
  maxBulkDocuments,
  maxModelBulkDocuments,
  type CreateDocumentBulkBody,
  type DocumentBulk,
  type DocumentBulkAction,
  type PageQuery,
  type RunAction,
} from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { RunService } from '../runs/index.ts';
import { presentBulk } from './bulk-presentation.ts';
import type { BulkRepository, StoredBulk } from './bulk-repository.ts';
import { bulkUndoOfferedMs } from './bulk-model.ts';
import type { DocumentChoiceRepository } from './document-choice-repository.ts';

export interface BulkServiceDependencies {
  bulkOf: (organizationId: string) => BulkRepository;
  choicesOf: (organizationId: string) => DocumentChoiceRepository;
  runs: (actor: Actor) => Pick<RunService, 'start' | 'create' | 'get' | 'stop' | 'undo'>;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  promptExists: (organizationId: string, promptId: string) => Promise<boolean>;
  /** Lets a worker look for jobs now. */
  wake: () => Promise<void>;
}

/** The bulk jobs that one user can see: their own, and an admin all. */
export interface BulkService {
  list(page: PageQuery): Promise<{ bulk_jobs: DocumentBulk[]; total_count: number; skip: number; limit: number }>;
  /** `bulk_not_found`. */
  get(id: string): Promise<DocumentBulk>;
  create(body: CreateDocumentBulkBody): Promise<DocumentBulk>;
  /** Ends it after the documents that are being worked on; `bulk_ended` where it has ended. */
  stop(id: string): Promise<DocumentBulk>;
  /** Starts to take back what it changed; does nothing where that is done or active. */
  undo(id: string): Promise<DocumentBulk>;
}

/** Bulk jobs of one organization that can be active at once. */
const maxActive = 20;

type Field = 'tag_ids' | 'prompt_id' | 'message' | 'auto_approved_tools' | 'on_ask';

/** Which fields an action needs, and which others it takes. */
const fieldsOf: Record<DocumentBulkAction, { needs: Field[]; takes: Field[] }> = {
  tag: { needs: ['tag_ids'], takes: [] },
  untag: { needs: ['tag_ids'], takes: [] },
  delete: { needs: [], takes: [] },
  restore: { needs: [], takes: [] },
  purge: { needs: [], takes: [] },
  extract: { needs: [], takes: ['prompt_id'] },
  auto_create: { needs: [], takes: ['message', 'on_ask'] },
  message: { needs: ['message'], takes: ['auto_approved_tools', 'on_ask'] },
};
const allFields: Field[] = ['tag_ids', 'prompt_id', 'message', 'auto_approved_tools', 'on_ask'];

const runActions: Partial<Record<DocumentBulkAction, RunAction>> = {
  extract: 'run_extraction',
  auto_create: 'auto_create',
  message: 'chat',
};

export function createBulkService(dependencies: BulkServiceDependencies): (actor: Actor) => BulkService {
  return (actor) => bulkServiceFor(actor, dependencies);
}

function bulkServiceFor(actor: Actor, dependencies: BulkServiceDependencies): BulkService {
  const { checkTags, promptExists, wake } = dependencies;
  const { organizationId } = actor;
  const jobs = dependencies.bulkOf(organizationId);
  const choices = dependencies.choicesOf(organizationId);
  const runs = dependencies.runs(actor);

  async function find(id: string): Promise<StoredBulk> {
    const bulk = await jobs.get(id);
    const isVisible = bulk && (actor.role === 'admin' || bulk.requested_by.toHexString() === actor.userId);
    if (!isVisible) throw new DomainError('not_found', 'bulk_not_found', 'There is no such bulk job.');
    return bulk;
  }

  async function present(bulk: StoredBulk): Promise<DocumentBulk> {
    return presentBulk(bulk, bulk.run_id === null ? undefined : await runs.get(bulk.run_id.toHexString()));
  }

  async function choose(body: CreateDocumentBulkBody): Promise<string[]> {
    const max = runActions[body.action] === undefined ? maxBulkDocuments : maxModelBulkDocuments;
    const from = body.action === 'restore' || body.action === 'purge' ? 'trash' : 'list';
    const chosen = body.document_ids
      ? [...new Set(body.document_ids)]
      : await choices.find(body.query ?? {}, from, max);
    if (chosen.length > max) {
      const message = `The query finds more than ${max} documents, which is the most for ${body.action}. Narrow it, for example by a tag.`;
      throw new DomainError('invalid', 'too_many_documents', message);
    }
    const { expected_count } = body;
    if (expected_count !== undefined && expected_count !== chosen.length) {
      throw new DomainError(
        'conflict',
        'selection_changed',
        `The query finds ${chosen.length} documents by now, and not ${expected_count}. Look at the list again, then repeat.`,
        { count: chosen.length },
      );
    }
    return chosen;
  }

  async function startRun(action: RunAction, body: CreateDocumentBulkBody, chosen: string[]): Promise<string> {
    const named_ids = body.document_ids ? await choices.existing(chosen) : chosen;
    if (named_ids.length === 0) {
      throw new DomainError('invalid', 'documents_needed', 'None of the documents is there. Choose others.');
    }
    if (action === 'chat') {
      const { message = '', auto_approved_tools = [] } = body;
      return (
        await runs.create({ document_ids: named_ids, message, auto_approved_tools, on_ask: body.on_ask ?? 'deny' })
      ).id;
    }
    const run = await runs.start({
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
    return run.id;
  }

  return {
    async list(page) {
      const { jobs: found, total_count } = await jobs.list(page, actor.role === 'admin' ? undefined : actor.userId);
      return { bulk_jobs: await Promise.all(found.map(present)), total_count, ...page };
    },
    async get(id) {
      return await present(await find(id));
    },
    async create(body) {
      requireWriter(actor);
      requireFields(body);
      if (body.tag_ids) await checkTags(organizationId, body.tag_ids);
      if (body.prompt_id !== undefined && !(await promptExists(organizationId, body.prompt_id))) {
        const message = 'There is no such prompt. List the prompts and use a prompt_id from there.';
        throw new DomainError('invalid', 'unknown_reference', message);
      }
      const runAction = runActions[body.action];
      if (runAction === undefined && (await jobs.countActive()) >= maxActive) {
        const message = `${maxActive} bulk jobs of this organization are active. Wait until some have ended, or stop some.`;
        throw new DomainError('conflict', 'too_many_bulk_jobs', message);
      }
      const chosen = await choose(body);
      const created = await jobs.insert({
        action: body.action,
        query: body.document_ids ? null : (body.query ?? {}),
        document_ids: chosen,
        tag_ids: [...new Set(body.tag_ids)],
        prompt_id: body.prompt_id ?? null,
        message: body.message ?? null,
        run_id: runAction === undefined ? null : await startRun(runAction, body, chosen),
        requested_by: actor.userId,
        role: actor.role,
        state: 'queued',
      });
      if (runAction === undefined) await wake();
      return await present(created);
    },
    async stop(id) {
      requireWriter(actor);
      const bulk = await find(id);
      const ended = new DomainError('conflict', 'bulk_ended', 'This bulk job has ended already.');
      if (bulk.run_id === null) {
        if (!(await jobs.requestStop(id))) throw ended;
        await wake();
      } else {
        const run = await runs.get(bulk.run_id.toHexString());
        if (run.ended_at !== null) throw ended;
        await runs.stop(run.id);
      }
      return await present(await find(id));
    },
    async undo(id) {
      requireWriter(actor);
      const bulk = await find(id);
      if (bulk.action === 'purge') {
        throw notUndoable('What was removed for good cannot be brought back.');
      }
      if (bulk.run_id !== null) {
        await runs.undo(bulk.run_id.toHexString());
        return await present(await find(id));
      }
      if (bulk.ended_at === null) {
        const message = 'A bulk job can be undone once it has ended. Stop it, or wait until it is done.';
        throw new DomainError('conflict', 'bulk_active', message);
      }
      if (bulk.ended_at.getTime() + bulkUndoOfferedMs < Date.now()) {
        const message = 'A bulk job can be undone within 30 days, and this one is older. Change the documents by hand.';
        throw new DomainError('gone', 'undo_expired', message);
      }
      if (await jobs.requestUndo(id)) await wake();
      return await present(await find(id));
    },
  };
}

function requireFields(body: CreateDocumentBulkBody): void {
  if ((body.query === undefined) === (body.document_ids === undefined)) {
    throw new DomainError(
      'invalid',
      'documents_needed',
      'Name the documents in document_ids, or say which ones in query: one of both. An empty query chooses all.',
    );
  }
  const { needs, takes } = fieldsOf[body.action];
  const missing = needs.find((field) => body[field] === undefined);
  const extra = allFields.find((field) => body[field] !== undefined && ![...needs, ...takes].includes(field));
  if (missing !== undefined) {
    throw new DomainError('invalid', 'action_fields', `The action ${body.action} needs ${missing}.`);
  }
  if (extra !== undefined) {
    throw new DomainError('invalid', 'action_fields', `The action ${body.action} takes no ${extra}. Leave it out.`);
  }
}

function notUndoable(message: string): DomainError {
  return new DomainError('conflict', 'bulk_not_undoable', message);
}
