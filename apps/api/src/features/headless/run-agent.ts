import {
  finishTurn,
  type AgentProfile,
  type DocumentAgentServices,
  type TurnOwner,
  type UnattendedTurn,
} from '@docwright/agent-core';
import type { Document, ExecutedRound } from '@docwright/contract';
import { createRunningProgress } from '../turns/index.ts';
import { arrivalActor, type Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import type { RecordCallsOf } from '../audit/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import type { RunConversation } from './conversation.ts';
import type { ClaimedRun } from './claim-repository.ts';
import { RunStop } from './run-stop.ts';
import { createHeadlessPermissions, type KeptResult } from './headless-permissions.ts';
import type { WriteContext } from '../../turn-writes/write-origin.ts';
import { failureOf } from './run-failure.ts';

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
  conversation: RunConversation;
  /** Throws if this worker has lost the run. */
  requireLease: () => Promise<void>;
  signal: AbortSignal;
  /** Called before a schema or a prompt is created. Returns the run to wait for if another one creates the same kind. */
  waitsForCreation?: (name: string) => Promise<string | undefined>;
}

/** The agent's progress, and how it ended. */
export interface AgentProgress {
  rounds: ExecutedRound[];
  text: string;
  /** Absent while it runs, and if it finished normally. */
  error?: { code: string; message: string };
  /** The turn that waits for a decision. */
  parkedTurn?: string;
  /** Set if it wrote nothing, since a user has verified or edited the result. */
  keptResult?: KeptResult;
}

export interface RunningAgent {
  progress(): AgentProgress;
  ended: Promise<AgentProgress>;
  /** The run that must end before this one continues. */
  waitsFor?(): string | undefined;
  /** Ends its stored turn as failed. */
  abort(error: unknown): Promise<void>;
}

/** Runs one turn of the document agent without a user: the same loop, profile and tools as in the chat. */
export function runAgent(dependencies: RunAgentDependencies, task: AgentTask): RunningAgent {
  const { run, document } = task;
  const owner = { organizationId: run.organizationId, documentId: document.id, userId: run.requestedBy };
  const progress = createRunningProgress(newTurn(task, owner, ''));
  const currentProgress = () => {
    const { text, executed_rounds } = progress.soFar();
    return { rounds: executed_rounds, text };
  };

  const postponed = new AbortController();
  let waitsFor: string | undefined;
  async function requireCreationTurn(name: string): Promise<void> {
    waitsFor ??= await task.waitsForCreation?.(name);
    if (waitsFor === undefined) return;
    const stop = new RunStop('waits', waitsFor);
    postponed.abort(stop);
    throw stop;
  }

  async function drain(): Promise<AgentProgress> {
    const { actor, conversation, requireLease, signal } = task;
    const { turnId, threadId } = conversation;
    const { kind, autoApprovedTools, organizationId, requestedBy: userId } = run;
    const allowed = { autoApprove: kind === 'auto_create', autoApprovedTools };
    const {
      decide,
      services,
      keptResult: readKeptResult,
    } = createHeadlessPermissions({
      kind,
      tools: dependencies.profile.tools,
      services: task.services,
      decide: dependencies.decideFor(actor, { threadId, documentId: document.id, ...allowed }),
      requireLease,
      onAsk: run.onAsk,
      requireCreationTurn,
    });
    const input = {
      profile: dependencies.profile,
      llm: dependencies.llmFor({
        organizationId,
        userId,
        threadId,
        documentId: document.id,
        promptId: run.promptId ?? undefined,
        runId: run.runId ?? undefined,
      }),
      services,
      turn: newTurn(task, owner, await dependencies.chooseModel(actor)),
      decide,
      recordCalls: dependencies.recordCallsOf(owner, { turnId, threadId, origin: runSourceOf(run).source }),
      wasApplied: (callId: string) => dependencies.wasApplied(organizationId, callId),
      signal: AbortSignal.any([signal, postponed.signal]),
    };
    const result = await finishTurn(input, async (event) => {
      await conversation.recordEvent(event);
      progress.note(event);
    });
    if (waitsFor !== undefined) return currentProgress();
    await conversation.finish(result);
    const { executedRounds, text, status } = result;
    const keptResult = hasWritten(executedRounds) ? undefined : readKeptResult();
    const ended = { rounds: [...executedRounds], text, ...(keptResult && { keptResult }) };
    if ('pending' in result) return { ...ended, parkedTurn: turnId };
    if (result.status === 'failed') {
      dependencies.log.error({ err: result.cause, document_run_id: run.id }, 'a headless run failed');
      return { ...ended, error: failureOf(result.cause) };
    }
    return status === 'max_rounds' ? { ...ended, error: tooManyRounds } : ended;
  }

  function hasWritten(rounds: readonly ExecutedRound[]): boolean {
    const { tools } = dependencies.profile;
    const calls = rounds.flatMap(({ tool_calls }) => tool_calls);
    return calls.some(({ name, success }) => success && (tools.get(name)?.effect ?? 'read') !== 'read');
  }

  const ended = drain().catch((error: unknown) => {
    if (waitsFor !== undefined) return currentProgress();
    dependencies.log.error({ err: error, document_run_id: run.id }, 'a headless run was interrupted');
    return { ...currentProgress(), error: failureOf(error) };
  });
  return {
    progress: currentProgress,
    ended,
    waitsFor: () => waitsFor,
    abort: (error) => task.conversation.abort(error),
  };
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
  message: 'The agent did not finish within its maximum of rounds (AGENT_MAX_ROUNDS).',
};

/** The origin of a run's writes, for the audit log and the versions of a result. */
export function runSourceOf({
  kind,
  id,
  runId,
  scheduleId,
  requestedBy,
  organizationId,
}: ClaimedRun): Required<Pick<WriteContext, 'source'>> & WriteContext {
  if (scheduleId !== undefined) {
    return { source: { kind: 'schedule', id: scheduleId }, ...(runId !== null && { run_id: runId }) };
  }
  if (runId !== null) {
    const isArrival = requestedBy === arrivalActor(organizationId).userId;
    return { source: { kind: isArrival ? 'arrival' : 'run', id: runId }, run_id: runId };
  }
  return { source: kind === 'auto_create' ? { kind: 'auto_create', id } : { kind: 'run', id } };
}
