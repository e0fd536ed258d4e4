import { type DocumentAgentServices, type TurnSettings } from '@docwright/agent-core';
import { DomainError, type Document, type Prompt, type Role } from '@docwright/contract';
import {
  firstMessage,
  type FittingKinds,
  fittingKindsMessage,
  type FreeName,
  kindServices,
  type KindGate,
  objectionToRun,
  proposalOfRun,
  type ProposalRepository,
} from '../auto-create/index.ts';
import {
  RunStop,
  type ClaimedRun,
  type ClaimRepository,
  conversationInThread,
  conversationWithoutThread,
  type ConversationDependencies,
  type HeadlessKind,
  type JobHandler,
  runSourceOf,
  runAgent,
  unattendedOf,
  type AgentProgress,
  type RunAgentDependencies,
  type RunningAgent,
  type RunControl,
  failureOf,
} from '../headless/index.ts';
import type { AuditLog } from '../audit/index.ts';
import type { DocumentService } from '../documents/index.ts';
import type { ExtractionService } from '../extractions/index.ts';
import { lesserRole, type Actor } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { WriteContext } from '../../turn-writes/write-origin.ts';

interface JobHandlerDependencies extends RunAgentDependencies, ConversationDependencies {
  claims: Pick<ClaimRepository, 'setThread'>;
  proposals: Pick<ProposalRepository, 'markStarted'>;
  kindGate: KindGate;
  /** Serializes the creation of named records in an organization. */
  exclusively: <Value>(organizationId: string, create: () => Promise<Value>) => Promise<Value>;
  freeName: FreeName;
  existingKind: FittingKinds['named'];
  /** The user's current role; undefined if the user has left the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  documentsFor: (actor: Actor) => Pick<DocumentService, 'get'>;
  promptsFor: (actor: Actor) => Pick<PromptService, 'getCurrent' | 'defaultFor'>;
  extractionsFor: (actor: Actor) => Pick<ExtractionService, 'run'>;
  servicesFor: (actor: Actor, document: Document, mark?: WriteContext) => DocumentAgentServices;
  auditOf: (organizationId: string) => AuditLog;
  /** Starts counting the cost of a thread. */
  openSpending: (threadId: string) => void;
}

/** The handlers of headless runs, by kind. */
export function createJobHandlers(dependencies: JobHandlerDependencies): Record<HeadlessKind, JobHandler> {
  const { claims, proposals, profile, servicesFor, openSpending, kindGate } = dependencies;

  async function actorOf({ organizationId, requestedBy: userId, role: maxRole }: ClaimedRun): Promise<Actor> {
    const role = await dependencies.roleOf(organizationId, userId);
    if (role === undefined) throw requesterRemoved();
    return { organizationId, userId, role: lesserRole(role, maxRole) };
  }

  return {
    auto_create: {
      isUndoneOnFailure: true,
      objectionTo: objectionToRun,
      proposalOf: (progress, isAborted) =>
        proposalOfRun(progress, isAborted, (tool) => profile.tools.get(tool)?.effect),
      async start(run, control) {
        const actor = await actorOf(run);
        const document = await dependencies.documentsFor(actor).get(run.documentId);
        const entrance = await kindGate.enter(run);
        if ('waitsFor' in entrance) throw new RunStop('waits', entrance.waitsFor);
        if (!(await proposals.markStarted(run.organizationId, run.documentId, run.id))) throw documentGone();
        const message = (run.message ?? firstMessage) + fittingKindsMessage(entrance.offered);
        // A parked call needs a conversation, in which it is decided and undone.
        const conversation =
          run.onAsk === 'park'
            ? await conversationInThread(run, message, dependencies, settingsOf(run))
            : conversationWithoutThread(run);
        if (run.onAsk === 'park') await claims.setThread(run, conversation.threadId);
        openSpending(conversation.threadId);
        const services = kindServices({
          services: servicesFor(actor, document, { for_review: true, ...runSourceOf(run) }),
          exclusively: (create) => dependencies.exclusively(run.organizationId, create),
          freeName: (kind, wanted) => dependencies.freeName(run.organizationId, kind, wanted),
          existingKind: (name) => dependencies.existingKind(run.organizationId, name),
        });
        const waitsForCreation = (name: string) => kindGate.waitsToCreate(run, name);
        const task = { run, actor, document, services, message, conversation, waitsForCreation };
        return runAgent(dependencies, { ...task, ...control });
      },
    },
    agent: {
      isUndoneOnFailure: false,
      async start(run, control) {
        const actor = await actorOf(run);
        const document = await dependencies.documentsFor(actor).get(run.documentId);
        const message = run.message ?? '';
        const conversation = await conversationInThread(run, message, dependencies, settingsOf(run));
        await claims.setThread(run, conversation.threadId);
        openSpending(conversation.threadId);
        const services = servicesFor(actor, document, runSourceOf(run));
        return runAgent(dependencies, { run, actor, document, services, message, conversation, ...control });
      },
    },
    extraction: {
      isUndoneOnFailure: false,
      async start(run, control) {
        const actor = await actorOf(run);
        const prompt = await promptOf(run, actor);
        openSpending(run.id);
        return runningExtraction(extractOnce(run, control, actor, prompt.prompt_revid));
      },
    },
  };

  /** The prompt of the run, or the document's own. Nobody has accepted that of a pending proposal: it never runs unasked. */
  async function promptOf(run: ClaimedRun, actor: Actor): Promise<Prompt> {
    const prompts = dependencies.promptsFor(actor);
    if (run.promptId !== null) return await prompts.getCurrent(run.promptId);
    const own = await prompts.defaultFor(run.documentId);
    if (own !== undefined && own.review !== 'pending') return own;
    // The prompt of a proposal for several documents belongs to one of them.
    const { auto_create } = await dependencies.documentsFor(actor).get(run.documentId);
    if (own === undefined && auto_create?.status !== 'proposed')
      throw noPrompt('No prompt applies to this document. Give it a tag of a prompt, or choose a prompt.');
    throw noPrompt('Only a proposal has a prompt for this document. Accept the proposal, or choose a prompt.');
  }

  function settingsOf(run: ClaimedRun): TurnSettings {
    const { kind, autoApprovedTools } = run;
    return {
      model: '',
      mentions: [],
      autoApprove: kind === 'auto_create',
      autoApprovedTools,
      unattended: unattendedOf(run),
    };
  }

  /** The origin of the run's writes; on arrival with the route and the source of the document. */
  async function arrivalMark(run: ClaimedRun, actor: Actor): Promise<ReturnType<typeof runSourceOf>> {
    const mark = runSourceOf(run);
    if (mark.source.kind !== 'arrival') return mark;
    const { routing, source_id } = await dependencies.documentsFor(actor).get(run.documentId);
    const route_id = routing?.route_ids[0];
    return { ...mark, source: { ...mark.source, ...(route_id && { route_id }), ...(source_id && { source_id }) } };
  }

  async function extractOnce(run: ClaimedRun, control: RunControl, actor: Actor, promptRevid: string) {
    await control.requireLease();
    // The same for each attempt: if a worker died after storing the result, the retry does not repeat it.
    const mark = await arrivalMark(run, actor);
    const origin = { call_id: run.id, turn_id: run.id, thread_id: run.id, ...mark };
    await dependencies.extractionsFor(actor).run(run.documentId, promptRevid, origin, control.signal, run.replace);
    const { organizationId, requestedBy, documentId } = run;
    const args = { document_id: documentId, prompt_revid: promptRevid };
    await dependencies.auditOf(organizationId).record([
      {
        kind: 'executed',
        actor: requestedBy,
        documentId,
        callId: run.id,
        tool: 'run_extraction',
        arguments: JSON.stringify(args),
        success: true,
        headless: true,
        origin: mark.source,
      },
    ]);
  }
}

/** An extraction reports no progress besides its result. */
function runningExtraction(extraction: Promise<void>): RunningAgent {
  const progress: AgentProgress = { rounds: [], text: '' };
  return {
    progress: () => progress,
    ended: extraction.then(
      () => progress,
      (error: unknown) => ({ ...progress, error: failureOf(error) }),
    ),
    abort: async () => undefined,
  };
}

const noPrompt = (message: string) => new DomainError('invalid', 'no_prompt', message);

function requesterRemoved(): DomainError {
  const message = 'The user who requested this run no longer belongs to the organization.';
  return new DomainError('forbidden', 'requester_gone', message);
}

function documentGone(): DomainError {
  return new DomainError('not_found', 'document_not_found', 'The document does not exist.');
}
