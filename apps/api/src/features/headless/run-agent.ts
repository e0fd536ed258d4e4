import {
  describeFailure,
  runTurn,
  type AgentProfile,
  type DocumentAgentServices,
  type TurnOwner,
  type UnattendedTurn,
} from '@docwright/agent-core';
import type { Document, ExecutedRound } from '@docwright/contract';
import { createRunningProgress } from '../turns/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import type { RecordCallsOf } from '../audit/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import type { Conversation } from './conversation.ts';
import type { ClaimedRun } from './claim-repository.ts';
import { RunStop } from './run-stop.ts';
import { createHeadlessPermissions, type KeptResult } from './headless-permissions.ts';
import type { WriteContext } from '../../turn-writes/write-origin.ts';

export interface RunAgentDependencies {
  profile: AgentProfile<DocumentAgentServices>;
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
  wasApplied: (organizationId: string, callId: string) => Promise<boolean>;
  chooseModel: (actor: Actor) => Promise<string>;
  log: { error(fields: object, message: string): void };
}

interface AgentTask {
  run: ClaimedRun;
  actor: Actor;
  document: Document;
  services: DocumentAgentServices;
  message: string;
  conversation: Conversation;
  /** Throws where this worker may no longer do anything for the run. */
  requireHeld: () => Promise<void>;
  signal: AbortSignal;
  /** Before a schema or a prompt is created; the run to wait for, where another makes such a kind. */
  waitsToCreate?: () => Promise<string | undefined>;
}

/** What the agent has done so far, and how it ended once it has. */
export interface AgentProgress {
  rounds: ExecutedRound[];
  text: string;
  /** Absent while it runs, and where it finished by itself. */
  error?: { code: string; message: string };
  /** The turn that waits for a decision. */
  parkedTurn?: string;
  /** It wrote nothing, since a person has verified or edited the result that it would have replaced. */
  kept?: KeptResult;
}

export interface RunningAgent {
  soFar(): AgentProgress;
  ended: Promise<AgentProgress>;
  /** The run that has to end before this one goes on. */
  waitsFor?(): string | undefined;
  /** Ends what is stored of it where it broke off. */
  breakOff(error: unknown): Promise<void>;
}

/** One turn of the document agent, with nobody to ask: the same loop, profile and tools as in the chat. */
export function runAgent(dependencies: RunAgentDependencies, task: AgentTask): RunningAgent {
  const { run, document } = task;
  const owner = { organizationId: run.organizationId, documentId: document.id, userId: run.requestedBy };
  const progress = createRunningProgress(newTurn(task, owner, ''));
  const soFar = () => {
    const { text, executed_rounds } = progress.soFar();
    return { rounds: executed_rounds, text };
  };

  const putOff = new AbortController();
  let waitsFor: string | undefined;
  async function requireTurnToCreate(): Promise<void> {
    waitsFor ??= await task.waitsToCreate?.();
    if (waitsFor === undefined) return;
    const stop = new RunStop('waits', waitsFor);
    putOff.abort(stop);
    throw stop;
  }

  async function drain(): Promise<AgentProgress> {
    const { actor, conversation, requireHeld, signal } = task;
    const { turnId, threadId } = conversation;
    const { kind, autoApprovedTools, organizationId, requestedBy: userId } = run;
    const allowed = { autoApprove: kind === 'auto_create', autoApprovedTools };
    const { decide, services, kept } = createHeadlessPermissions({
      kind,
      tools: dependencies.profile.tools,
      services: task.services,
      decide: dependencies.decideFor(actor, { threadId, documentId: document.id, ...allowed }),
      requireHeld,
      onAsk: run.onAsk,
      requireTurnToCreate,
    });
    const events = runTurn({
      profile: dependencies.profile,
      llm: dependencies.llmFor({ organizationId, userId, threadId, documentId: document.id }),
      services,
      turn: newTurn(task, owner, await dependencies.chooseModel(actor)),
      decide,
      recordCalls: dependencies.recordCallsOf(owner, { turnId, threadId, origin: runSourceOf(run).source }),
      wasApplied: (callId) => dependencies.wasApplied(organizationId, callId),
      signal: AbortSignal.any([signal, putOff.signal]),
    });
    for (;;) {
      const step = await events.next();
      if (step.done) {
        if (waitsFor !== undefined) return soFar();
        await conversation.finish(step.value);
        const { executedRounds, text, status } = step.value;
        const keptResult = hasWritten(executedRounds) ? undefined : kept();
        const ended = { rounds: [...executedRounds], text, ...(keptResult && { kept: keptResult }) };
        if ('pending' in step.value) return { ...ended, parkedTurn: turnId };
        if (step.value.status === 'failed') {
          dependencies.log.error({ err: step.value.cause, document_run_id: run.id }, 'a run without a person failed');
          return { ...ended, error: step.value.error };
        }
        return status === 'max_rounds' ? { ...ended, error: tooManyRounds } : ended;
      }
      for (const event of step.value) {
        await conversation.record(event);
        progress.note(event);
      }
    }
  }

  function hasWritten(rounds: readonly ExecutedRound[]): boolean {
    const { tools } = dependencies.profile;
    const calls = rounds.flatMap(({ tool_calls }) => tool_calls);
    return calls.some(({ name, success }) => success && tools.get(name)?.effect === 'read_write');
  }

  const ended = drain().catch((error: unknown) => {
    if (waitsFor !== undefined) return soFar();
    dependencies.log.error({ err: error, document_run_id: run.id }, 'a run without a person broke off');
    return { ...soFar(), error: describeFailure(error) };
  });
  return { soFar, ended, waitsFor: () => waitsFor, breakOff: (error) => task.conversation.breakOff(error) };
}

export function unattendedOf(run: ClaimedRun): UnattendedTurn {
  return {
    documentRunId: run.id,
    ...(run.runId !== null && { runId: run.runId }),
    forReview: run.kind === 'auto_create',
    onAsk: run.onAsk,
    source: runSourceOf(run).source,
  };
}

function newTurn({ run, message, conversation }: AgentTask, owner: TurnOwner, model: string) {
  return {
    turnId: conversation.turnId,
    threadId: conversation.threadId,
    owner,
    settings: {
      model,
      mentions: [],
      autoApprove: run.kind === 'auto_create',
      autoApprovedTools: run.autoApprovedTools,
      unattended: unattendedOf(run),
    },
    messages: [{ role: 'user' as const, content: message }],
    workingState: { schema_revid: null, prompt_revid: null, extraction: null },
  };
}

const tooManyRounds = {
  code: 'max_rounds',
  message: 'The agent did not come to an end within its rounds (AGENT_MAX_ROUNDS).',
};

/** Through what the writes of a run come, as the audit log and the versions of a result name it. */
export function runSourceOf({
  kind,
  id,
  runId,
  scheduleId,
}: ClaimedRun): Required<Pick<WriteContext, 'source'>> & WriteContext {
  if (scheduleId !== undefined) {
    return { source: { kind: 'schedule', id: scheduleId }, ...(runId !== null && { run_id: runId }) };
  }
  if (runId !== null) return { source: { kind: 'run', id: runId }, run_id: runId };
  return { source: kind === 'auto_create' ? { kind: 'auto_create', id } : { kind: 'run', id } };
}
