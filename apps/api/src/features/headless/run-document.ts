import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type AgentLog, type ExecutedCall, type ExecutedRound } from '@docwright/contract';
import { shortenLongLists } from '@docwright/agent-core';
import { runInBackground } from '../../platform/jobs/background-work.ts';
import type { UndoWrites } from '../undo/index.ts';
import { cancelled } from './document-run-repository.ts';
import type { ParkedRuns } from './parked-runs.ts';
import type { ClaimedRun, ClaimRepository, RunOutcome } from './claim-repository.ts';
import type { HeadlessKind } from './headless-queue.ts';
import type { AgentProgress, RunningAgent } from './run-agent.ts';
import { databaseUnavailable, failureOf } from './run-failure.ts';
import { RunStop, stopReasonOf, untilStopped } from './run-stop.ts';
import { createRunTime, type RunTime } from './run-time.ts';

/** A worker's control over its run. */
export interface RunControl {
  /** Aborts with a RunStop as its reason. */
  signal: AbortSignal;
  /** Throws if the run is, or might be, no longer this worker's. */
  requireLease(): Promise<void>;
}

/** The handler of one kind of headless run. */
export interface JobHandler {
  /** Starts the run; throws a DomainError if it cannot start. */
  start(run: ClaimedRun, control: RunControl): Promise<RunningAgent>;
  /** The proposal of a run with this progress, finished or aborted. A run that must propose has failed without one. */
  proposalOf?(progress: AgentProgress, isAborted: boolean): RunOutcome['proposal'];
  /** The reason why the proposal is unusable. Undefined if it is usable. */
  objectionTo?(progress: AgentProgress): { code: string; message: string } | undefined;
  /** Whether its writes are undone if it fails. */
  isUndoneOnFailure: boolean;
}

interface RunDocumentDependencies {
  claims: ClaimRepository;
  jobHandlers: Readonly<Record<HeadlessKind, JobHandler>>;
  undoWrites: UndoWrites;
  /** The turn of an earlier attempt that is pending or decided. */
  openTurn: ParkedRuns['openTurn'];
  resume: ParkedRuns['resume'];
  /** Whether the text of its document is still being read. */
  isBeingRead: (run: ClaimedRun) => Promise<boolean>;
  /** How long a run waits for that text; two minutes by default. */
  readingWaitMs?: number;
  /** The time limit of one attempt, without the time that it waits for permits. */
  timeoutMs: number;
  /** Returns the cost of the thread's model calls in this process, and resets it. */
  takeSpending: (run: ClaimedRun) => number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** A document is abandoned after this many dead workers. */
const maxAttempts = 3;
/** The same for a decided run: a decision must survive several server restarts. */
const maxResumes = 20;

/**
 * Executes a claimed run and stores its outcome. False if the run was lost, postponed, or requeued because this process
 * stops.
 */
export function createRunDocument(
  dependencies: RunDocumentDependencies,
): (run: ClaimedRun, control: RunControl) => Promise<boolean> {
  const { claims, jobHandlers, undoWrites, resume, timeoutMs, takeSpending, log } = dependencies;

  /** Waits for the text of the document: a model that sees none would answer about an empty document. */
  async function isRead(run: ClaimedRun, signal: AbortSignal): Promise<boolean> {
    const until = Date.now() + (dependencies.readingWaitMs ?? 120_000);
    while (await dependencies.isBeingRead(run)) {
      if (Date.now() >= until || signal.aborted) return false;
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
    return true;
  }

  async function attempt(
    run: ClaimedRun,
    control: RunControl,
    openTurn: string | undefined,
    time: RunTime,
  ): Promise<RunOutcome | 'lost' | 'stopping' | { waitsFor: string }> {
    if (run.error) return failure(run.error, { rounds: [], text: '' });
    if (run.attempts > (run.parkedTurn === undefined ? maxAttempts : maxResumes))
      return failure(workerLost, { rounds: [], text: '' });
    const handler = jobHandlers[run.kind];
    if (openTurn === undefined && !(await isRead(run, control.signal))) {
      const stopped = stopReasonOf(control.signal);
      if (stopped === 'lost' || stopped === 'stopping') return stopped;
      return stopped === 'cancelled'
        ? { ...failure(cancelled, { rounds: [], text: '' }), state: 'cancelled' }
        : failure(notReadYet, { rounds: [], text: '' });
    }
    time.start();
    let isLeaseLost = false;
    const signal = AbortSignal.any([control.signal, time.signal]);
    const requireLease = async () => {
      signal.throwIfAborted();
      if (isLeaseLost) throw new RunStop('lost');
      await control.requireLease();
    };
    let progress: AgentProgress;
    try {
      const agent =
        openTurn === undefined
          ? await untilStopped(handler.start(run, { signal, requireLease }), signal)
          : resume(run, openTurn, signal);
      progress = await untilStopped(agent.ended, signal).catch(() => agent.progress());
      const waitsFor = agent.waitsFor?.();
      await agent.abort(waitsFor === undefined ? (progress.error ?? signal.reason) : new RunStop('waits', waitsFor));
      if (waitsFor !== undefined && stopReasonOf(signal) === undefined) return { waitsFor };
    } catch (error) {
      if (error instanceof RunStop && error.runId !== undefined) return { waitsFor: error.runId };
      progress = { rounds: [], text: '', error: failureOf(error) };
      if (!(error instanceof DomainError || error instanceof RunStop)) {
        log.error({ err: error, document_run_id: run.id }, 'a headless run could not start');
      }
    } finally {
      isLeaseLost = true;
      time.stop();
    }
    return outcomeOf(handler, progress, stopReasonOf(signal));
  }

  function outcomeOf(handler: JobHandler, progress: AgentProgress, stopped: RunStop['reason'] | undefined) {
    if (stopped === 'lost' || stopped === 'stopping') return stopped;
    // Its lease expires, and the next attempt starts by undoing what this one wrote.
    if (stopped === undefined && progress.error?.code === databaseUnavailable.code) return 'lost';
    if (stopped === 'cancelled') return { ...failure(cancelled, progress), state: 'cancelled' as const };
    if (progress.parkedTurn !== undefined) return parked(progress);
    const error = stopped === 'timeout' ? timeoutError(timeoutMs) : progress.error;
    const proposal = handler.proposalOf?.(progress, error !== undefined) ?? null;
    const objection = proposal ? handler.objectionTo?.(progress) : undefined;
    if (objection) return failure(objection, progress);
    if (proposal) return success(proposal, progress);
    if (!error && !proposal && progress.keptResult) {
      return { ...failure(progress.keptResult, progress), state: 'skipped' as const };
    }
    if (error && isReviewed(error)) return { ...failure(error, progress), state: 'skipped' as const };
    if (error) return failure(error, progress);
    return handler.proposalOf ? failure(noResultError(progress), progress) : success(null, progress);
  }

  async function work(run: ClaimedRun, control: RunControl, time: RunTime): Promise<boolean> {
    const owner = { organizationId: run.organizationId, userId: run.requestedBy };
    const openTurn = run.formerTurnIds.length > 0 ? await dependencies.openTurn(run) : undefined;
    if (openTurn === undefined && run.formerTurnIds.length > 0) {
      await undoWrites(owner, run.formerTurnIds);
      await claims.forgetTurns(run, run.formerTurnIds);
    }
    const outcome = await attempt(run, control, openTurn, time);
    const spuUsed = takeSpending(run);
    if (outcome === 'lost') return false;
    if (typeof outcome === 'object' && 'waitsFor' in outcome) {
      await undoWrites(owner, [run.turnId]);
      await claims.postpone(run, outcome.waitsFor);
      return false;
    }
    if (outcome === 'stopping') {
      if (openTurn === undefined) await undoWrites(owner, [run.turnId]);
      await claims.release(run);
      return false;
    }
    if (outcome.state !== 'succeeded' && outcome.state !== 'waiting' && jobHandlers[run.kind].isUndoneOnFailure) {
      if (outcome.error && !(await claims.markFailing(run, outcome.error))) return false;
      await undoWrites(owner, [openTurn ?? run.turnId]);
    }
    const isStored = await claims.finish(run, { ...outcome, spuUsed });
    if (!isStored) log.warn({ document_run_id: run.id }, 'another worker has taken a run');
    return isStored;
  }

  return async (run, control) => {
    const time = createRunTime(timeoutMs);
    return await runInBackground(async () => work(run, control, time), {
      isOfFew: run.isOfFew,
      whileWaiting: async (wait) => time.whileWaiting(wait),
    });
  };
}

function success(proposal: RunOutcome['proposal'], { rounds, text }: AgentProgress): RunOutcome {
  return { state: 'succeeded', error: null, proposal, log: agentLogOf(rounds, text), spuUsed: 0 };
}

function parked({ rounds, text, parkedTurn }: AgentProgress): RunOutcome {
  const log = agentLogOf(rounds, text);
  return {
    state: 'waiting',
    error: null,
    proposal: null,
    log,
    spuUsed: 0,
    ...(parkedTurn !== undefined && { parkedTurn }),
  };
}

function failure(error: { code: string; message: string }, { rounds, text }: AgentProgress): RunOutcome {
  return { state: 'failed', error, proposal: null, log: agentLogOf(rounds, text), spuUsed: 0 };
}

const pollMs = 500;
const notReadYet = {
  code: 'document_not_read_yet',
  message: 'The text of the document was still being read after two minutes. Start the run again when it is read.',
};

const workerLost = {
  code: 'worker_lost',
  message: 'The server stopped in the middle of this run three times. Start it again.',
};

/** Whether a user's work on the result was kept. */
function isReviewed({ code }: { code: string }): boolean {
  return code === 'result_edited' || code === 'result_verified';
}

function timeoutError(milliseconds: number) {
  const seconds = Math.round(milliseconds / 1000);
  return {
    code: 'headless_timeout',
    message: `The run took longer than ${seconds} s (HEADLESS_TIMEOUT_SECONDS) and was ended. Start it again.`,
  };
}

/** The error of a run that ended without a result: its last failed call, or the model's text. */
function noResultError({ rounds, text }: AgentProgress) {
  const failed = rounds.flatMap((round) => round.tool_calls).findLast(({ success }) => !success);
  const detail = failed ? `${failed.name}: ${failed.error ?? ''}` : text;
  const reason =
    detail === '' ? '' : ` ${failed ? 'The last call that failed' : 'The agent said'}: ${detail.slice(0, 500)}`;
  return { code: 'no_extraction', message: `The run ended without an extraction.${reason}` };
}

/**
 * Maximum characters of one text, and of one call's arguments or result as JSON. The number of rounds is limited
 * elsewhere.
 */
const maxTextCharacters = 8_000;
const maxJsonCharacters = 16_000;

/** Limits on lists and texts, tried in this order until the value is short enough. */
const cuts = [
  { items: 50, characters: 2_000 },
  { items: 10, characters: 500 },
  { items: 3, characters: 100 },
];

/** The bounded log of a run; the closing text is its last round. */
function agentLogOf(rounds: readonly ExecutedRound[], text: string): AgentLog {
  const closing: ExecutedRound[] = text === '' ? [] : [{ round_index: rounds.length, text, tool_calls: [] }];
  return [...rounds, ...closing].map((round) => ({
    ...round,
    text: shortenText(round.text),
    ...(round.thinking === undefined ? {} : { thinking: shortenText(round.thinking) }),
    tool_calls: round.tool_calls.map(shortenCall),
  }));
}

function shortenCall(call: ExecutedCall): ExecutedCall {
  return {
    ...call,
    arguments:
      call.arguments.length <= maxJsonCharacters ? call.arguments : JSON.stringify(shorten(parseOrCut(call.arguments))),
    ...(call.result === undefined ? {} : { result: shorten(call.result) }),
    ...(call.error === undefined ? {} : { error: shortenText(call.error) }),
  };
}

function shorten(value: unknown): unknown {
  const fits = (candidate: unknown) => (JSON.stringify(candidate) ?? '').length <= maxJsonCharacters;
  if (fits(value)) return value;
  for (const { items, characters } of cuts) {
    const shorter = shortenLongLists(value, items, characters);
    if (fits(shorter)) return shorter;
  }
  return { cut: `${(JSON.stringify(value) ?? '').slice(0, 1_000)}…` };
}

function shortenText(text: string): string {
  return text.length <= maxTextCharacters
    ? text
    : `${text.slice(0, maxTextCharacters)}[cut: ${text.length - maxTextCharacters} more characters]`;
}

function parseOrCut(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { cut: `${text.slice(0, 1_000)}…` };
  }
}
