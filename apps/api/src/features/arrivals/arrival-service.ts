import type { OnArrival } from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import { createSetAside } from '../../platform/jobs/set-aside.ts';
import type { AuditLog } from '../audit/index.ts';
import { arrivalActor } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import type { PromptContent, PromptRepository } from '../prompts/index.ts';
import type { Revision } from '../revisions/index.ts';
import type { RunRepository } from '../runs/index.ts';
import type { TagRepository } from '../tags/index.ts';
import type { ArrivalRepository, ArrivedDocument } from './arrival-repository.ts';

interface ArrivalDependencies {
  arrivals: ArrivalRepository;
  tagsOf: (organizationId: string) => Pick<TagRepository, 'startingOnArrival'>;
  promptsOf: (organizationId: string) => Pick<PromptRepository, 'list'>;
  runsOf: (organizationId: string) => Pick<RunRepository, 'insert'>;
  decideFor: DecideForTurn;
  auditOf: (organizationId: string) => AuditLog;
  wakeRuns: () => Promise<void>;
  log: { error(fields: object, message: string): void };
}

/** Starts what the tags of documents start on arrival. */
export type ArrivalService = ReturnType<typeof createArrivalService>;

/** Documents that are looked at together; those of an organization share one run for each prompt. */
const batchSize = 200;
const promptsAtOnce = 100;
/** Another process stores the run that it has noted within this time, or is dead. */
const storedAfterMs = 60_000;
const proposal = 'auto_create';
/** An id begins with its time in seconds. */
const notedAt = (id: string) => Number.parseInt(id.slice(0, 8), 16) * 1000;

export function createArrivalService(dependencies: ArrivalDependencies) {
  const { arrivals, tagsOf, promptsOf, runsOf, decideFor, auditOf, wakeRuns, log } = dependencies;
  const aside = createSetAside({ log, failure: 'what documents start on arrival could not be started' });

  async function promptsWith(organizationId: string, any_tag_ids: string[]): Promise<Revision<PromptContent>[]> {
    const found: Revision<PromptContent>[] = [];
    for (let isMore = any_tag_ids.length > 0; isMore;) {
      const page = { skip: found.length, limit: promptsAtOnce, any_tag_ids };
      const { revisions } = await promptsOf(organizationId).list(page);
      found.push(...revisions);
      isMore = revisions.length === promptsAtOnce;
    }
    return found;
  }

  /** The documents for which no rule of the organization denies the extraction, or wants a person to be asked. */
  async function permitted(
    organizationId: string,
    documents: readonly ArrivedDocument[],
    { artifact_id, revid }: Revision<PromptContent>,
  ): Promise<Set<string>> {
    const actor = arrivalActor(organizationId);
    const allowed = new Set<string>();
    for (const { id, origin } of documents) {
      const args = { document_id: id, prompt_revid: revid };
      const decide = decideFor(actor, { threadId: '', documentId: id, autoApprove: true, autoApprovedTools: [] });
      const decision = await decide({ tool: 'run_extraction', effect: 'read_write', args });
      if (decision.effect === 'allow') {
        allowed.add(id);
        continue;
      }
      await auditOf(organizationId).record([
        {
          kind: 'decided',
          actor: actor.userId,
          documentId: id,
          callId: `arrival-${id}-${artifact_id}`,
          tool: 'run_extraction',
          arguments: JSON.stringify(args),
          decision: 'deny',
          headless: true,
          origin: { kind: 'arrival', ...origin },
        },
      ]);
    }
    return allowed;
  }

  async function startFor(organizationId: string, documents: readonly ArrivedDocument[]): Promise<void> {
    if (documents.length === 0) return;
    const own = new Set<string>();
    const claim = async (ids: readonly string[], key: string, isAllowed: boolean) => {
      if (ids.length === 0) return;
      const runId = isAllowed ? newId() : null;
      if (runId !== null) own.add(runId);
      await arrivals.claim(organizationId, ids, key, runId);
    };
    const tags = await tagsOf(organizationId).startingOnArrival([
      ...new Set(documents.flatMap(({ tagIds }) => tagIds)),
    ]);
    const byTag = new Map(tags.map(({ tag_id, on_arrival }) => [tag_id, on_arrival]));
    /** The tags of a document that start this: those that its routes gave as the routes say, if they do. */
    const starting = ({ tagIds, byRoute }: ArrivedDocument, what: keyof OnArrival) =>
      tagIds.filter((id) => (byRoute?.tag_ids.includes(id) ? byRoute : byTag.get(id))?.[what] === true);
    const missing = (key: string, what: keyof OnArrival, isConcerned: (tagId: string) => boolean = () => true) =>
      documents.filter(
        (each) => starting(each, what).some(isConcerned) && !each.arrivals.some((known) => known.key === key),
      );
    const running = new Set(documents.flatMap((document) => starting(document, 'run_prompts')));
    for (const prompt of await promptsWith(organizationId, [...running])) {
      const concerned = missing(prompt.artifact_id, 'run_prompts', (id) => prompt.content.tag_ids.includes(id));
      const allowed = await permitted(organizationId, concerned, prompt);
      const ids = concerned.map(({ id }) => id);
      await claim(
        ids.filter((id) => allowed.has(id)),
        prompt.artifact_id,
        true,
      );
      await claim(
        ids.filter((id) => !allowed.has(id)),
        prompt.artifact_id,
        false,
      );
    }
    const proposed = missing(proposal, 'auto_create').map(({ id }) => id);
    await claim(proposed, proposal, true);
    await storeRuns(organizationId, documents, own);
  }

  /** Stores the runs that are noted, also those that a dead process has left. */
  async function storeRuns(organizationId: string, documents: readonly ArrivedDocument[], own: ReadonlySet<string>) {
    const noted = await arrivals.read(
      organizationId,
      documents.map(({ id }) => id),
    );
    const isOurs = (runId: string) => own.has(runId) || notedAt(runId) + storedAfterMs < Date.now();
    const runs = new Map<string, { key: string; ids: string[] }>();
    for (const { id, arrivals: known } of noted) {
      for (const { key, run_id } of known) {
        if (!run_id || !isOurs(run_id)) continue;
        const run = runs.get(run_id) ?? { key, ids: [] };
        run.ids.push(id);
        runs.set(run_id, run);
      }
    }
    const actor = arrivalActor(organizationId);
    for (const [id, { key, ids }] of runs) {
      await runsOf(organizationId).insert({
        id,
        schedule_id: null,
        trigger: 'arrival',
        action: key === proposal ? 'auto_create' : 'run_extraction',
        filter: null,
        named_ids: ids,
        max_documents: null,
        prompt_id: key === proposal ? null : key,
        replace: null,
        message: null,
        auto_approved_tools: [],
        requested_by: actor.userId,
        role: actor.role,
        due_at: null,
      });
    }
    const changesBefore = new Map(documents.map(({ id, changes }) => [id, changes]));
    for (const document of noted) {
      const isStored = document.arrivals.every(({ run_id }) => !run_id || isOurs(run_id));
      // Tags that came meanwhile are looked at in the next pass.
      if (isStored) await arrivals.done({ ...document, changes: changesBefore.get(document.id) ?? null });
    }
    if (runs.size > 0) await wakeRuns();
  }

  return {
    /**
     * Starts it for documents that wait for it: some of each organization, since organizations take turns. What is left is
     * found by the next call, which the writes of this one wake.
     */
    async start(signal: AbortSignal): Promise<void> {
      const failed = new Set(aside.ids());
      for await (const organization of arrivals.organizations()) {
        if (signal.aborted) return;
        const own = organization.toHexString();
        if (!failed.has(own)) await aside.work(own, async () => startFor(own, await arrivals.due(own, batchSize)));
      }
    },
    /** The extractions that giving documents these tags would start, by prompt. */
    async wouldStart(
      organizationId: string,
      documentIds: readonly string[],
      tagIds: readonly string[],
    ): Promise<{ promptId: string; extractions: number }[]> {
      const tags = await tagsOf(organizationId).startingOnArrival(tagIds);
      const found = [];
      const running = tags.filter(({ on_arrival }) => on_arrival.run_prompts).map(({ tag_id }) => tag_id);
      for (const { artifact_id } of await promptsWith(organizationId, running)) {
        const extractions = await arrivals.countNew(organizationId, documentIds, artifact_id);
        if (extractions > 0) found.push({ promptId: artifact_id, extractions });
      }
      return found;
    },
  };
}
