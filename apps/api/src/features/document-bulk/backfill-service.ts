import { setImmediate as breathe } from 'node:timers/promises';
import {
  DomainError,
  maxModelBulkDocuments,
  type BackfillBody,
  type BackfillEstimate,
  type BackfillReport,
  type Evaluation,
  type Prompt,
  type Run,
  type StartedBackfill,
} from '@docwright/contract';
import { compareResults } from '@docwright/scorer';
import { declareWrites, type AuditWrites, type NoteWrite } from '../audit/index.ts';
import { newId } from '../../platform/database/object-id.ts';
import type { HeadlessQueue } from '../headless/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { BackfillRepository } from './backfill-repository.ts';
import type { EstimateBulk } from './bulk-estimate-service.ts';
import type { BulkServiceDependencies } from './bulk-service.ts';
import type { DocumentChoiceRepository } from './document-choice-repository.ts';

export interface BackfillDependencies {
  auditWrites: AuditWrites;
  choicesOf: (actor: Actor) => Pick<DocumentChoiceRepository, 'find' | 'read'>;
  resultsOf: (organizationId: string) => BackfillRepository;
  estimateBulk: (actor: Actor) => EstimateBulk;
  prompts: (actor: Actor) => Pick<PromptService, 'getCurrent'>;
  evaluations: (actor: Actor) => {
    create(
      body: { prompt_id: string; max_documents: number; baseline: 'stored' },
      options: { id: string; beforeInsert: () => Promise<unknown> },
    ): Promise<Evaluation>;
  };
  runs: BulkServiceDependencies['runs'];
  queue: Pick<HeadlessQueue, 'listOfRun'>;
}

/** Runs of a prompt on documents that were there before its current revision. Throws `prompt_not_found`. */
export type BackfillService = ReturnType<typeof backfillServiceFor>;

const writes = declareWrites<BackfillService>({
  start: {
    tool: 'backfill',
    takes: ['prompt_id', '...', 'note'],
  },
});

/** So many results are compared before other work of the process continues. */
const batchSize = 100;

export function createBackfillService(dependencies: BackfillDependencies): (actor: Actor) => BackfillService {
  return dependencies.auditWrites(writes, (actor) => backfillServiceFor(actor, dependencies));
}

function backfillServiceFor(actor: Actor, dependencies: BackfillDependencies) {
  const { organizationId } = actor;
  const choices = dependencies.choicesOf(actor);
  const results = dependencies.resultsOf(organizationId);
  const runs = dependencies.runs(actor);

  /** The documents that the run would read, and how many it leaves out. */
  async function choose(prompt: Prompt, { filter, replace }: BackfillBody) {
    const ids = filter
      ? await choices.find(filter, 'list', maxModelBulkDocuments)
      : await results.concerned(prompt, maxModelBulkDocuments);
    if (ids.length > maxModelBulkDocuments) {
      throw new DomainError(
        'invalid',
        'too_many_documents',
        `A back-fill reads at most ${maxModelBulkDocuments} documents, and more are selected. Narrow "filter", for example by a tag.`,
      );
    }
    const documents = (await choices.read(ids)).filter(({ is_duplicate }) => !is_duplicate);
    const done = replace === 'unreviewed' ? await results.upToDate(prompt.prompt_revid, ids) : new Set<string>();
    const chosen = documents.map(({ id }) => id).filter((id) => !done.has(id));
    return { chosen, up_to_date: documents.length - chosen.length, duplicates: ids.length - documents.length };
  }

  async function estimate(prompt: Prompt, choice: Awaited<ReturnType<typeof choose>>): Promise<BackfillEstimate> {
    const { chosen, ...left } = choice;
    const { prompt_id } = prompt;
    const known =
      chosen.length === 0
        ? []
        : (await dependencies.estimateBulk(actor)({ document_ids: chosen, prompt_id })).by_prompt;
    const { requests = 0, spu_estimated = 0 } = known[0] ?? {};
    return { extractions: chosen.length, requests, spu_estimated, ...left };
  }

  return {
    /** Throws `confirm_required` with the estimate in `details` until it is confirmed. */
    async start(promptId: string, body: BackfillBody, note?: NoteWrite): Promise<StartedBackfill> {
      requireWriter(actor);
      const prompt = await dependencies.prompts(actor).getCurrent(promptId);
      const id = newId();
      const { filter, replace, sample } = body;
      const fields = { prompt_id: promptId, filter, replace, sample };
      if (body.sample !== undefined) {
        const { prompt_id } = prompt;
        const measured = { prompt_id, max_documents: body.sample, baseline: 'stored' } as const;
        const beforeInsert = async () =>
          await note?.({ kind: 'evaluation', recordId: id, fields: { ...fields, evaluation_id: id } });
        return { evaluation: await dependencies.evaluations(actor).create(measured, { id, beforeInsert }) };
      }
      const choice = await choose(prompt, body);
      const count = choice.chosen.length;
      if (count === 0) {
        throw new DomainError(
          'invalid',
          'documents_needed',
          'No selected document needs the current revision of the prompt. Choose others, or send replace.',
        );
      }
      if (body.confirm?.extractions !== count) {
        throw new DomainError(
          'conflict',
          'confirm_required',
          `This takes ${count} extractions; details has the estimate. Repeat the request with "confirm": { "extractions": ${count} }.`,
          await estimate(prompt, choice),
        );
      }
      await note?.({ kind: 'run', recordId: id, fields: { ...fields, run_id: id } });
      const run: Run = await runs.start({
        id,
        schedule_id: null,
        trigger: 'direct',
        action: 'run_extraction',
        filter: null,
        named_ids: choice.chosen,
        max_documents: null,
        prompt_id: prompt.prompt_id,
        replace: body.replace,
        message: null,
        auto_approved_tools: [],
        requested_by: actor.userId,
        role: actor.role,
        due_at: null,
      });
      return { run };
    },
    /** Throws `run_not_found`. */
    async report(promptId: string, runId: string): Promise<BackfillReport> {
      const { prompt_id } = await dependencies.prompts(actor).getCurrent(promptId);
      const run = await runs.get(runId);
      const difference = { documents: 0, first_results: 0, leaves: 0, same: 0, different: 0, added: 0 };
      const startedAt = new Date(run.started_at ?? run.created_at);
      for (let skip = 0; ; skip += batchSize) {
        const page = { skip, limit: batchSize, states: ['succeeded'] as const };
        const { documentRuns } = await dependencies.queue.listOfRun(organizationId, runId, page);
        const written = documentRuns.map(({ documentId, id }) => ({ documentId, callId: id }));
        for await (const { before, after } of results.changes(prompt_id, startedAt, written)) {
          if (before === undefined) {
            difference.first_results += 1;
            continue;
          }
          const { totals } = await compareResults({ truth: before, before: after, after });
          difference.documents += 1;
          difference.leaves += totals.values;
          difference.same += totals.correct_after;
          difference.different += totals.values - totals.correct_after;
          difference.added += totals.spurious_after + totals.unknown;
        }
        if (documentRuns.length < batchSize) return { run, difference };
        await breathe();
      }
    },
  };
}
