import { DomainError, type AgentLog, type ExecutedCall, type ExecutedRound } from '@docwright/contract';
import { describeFailure, shortenLongLists } from '@docwright/agent-core';
import type { UndoWrites } from '../undo/index.ts';
import { cancelled } from './document-run-repository.ts';
import type { ParkedRuns } from './parked-runs.ts';
import type { ClaimedRun, ClaimRepository, RunOutcome } from './claim-repository.ts';
import type { HeadlessKind } from './headless-queue.ts';
import type { AgentProgress, RunningAgent } from './run-agent.ts';
import { RunStop, whyStopped } from './run-stop.ts';

/** How one worker holds a run. */
export interface RunControl {
  /** Aborted with a RunStop. */
  signal: AbortSignal;
  /** Throws where the run is, or may be, no longer this worker's. */
  requireHeld(): Promise<void>;
}

/** One kind of work on a document. */
export interface HeadlessWork {
  /** Begins; throws the DomainError of what stands in the way. */
  begin(run: ClaimedRun, control: RunControl): Promise<RunningAgent>;
  /**
   * What a run proposes that did this, to its own end or until it broke off; a run that must propose something has failed
   * without.
   */
  proposalOf?(progress: AgentProgress, isBrokenOff: boolean): RunOutcome['proposal'];
  /** Why what it proposes is of no use to anybody. */
  objectionTo?(progress: AgentProgress): { code: string; message: string } | undefined;
  /** Whether what it wrote goes where it fails. */
  isUndoneOnFailure: boolean;
}

interface RunDocumentDependencies {
  claims: ClaimRepository;
  works: Readonly<Record<HeadlessKind, HeadlessWork>>;
  undoWrites: UndoWrites;
  /** The turn of an earlier attempt that waits for a decision, or has been decided on. */
  openTurn: ParkedRuns['openTurn'];
  resume: ParkedRuns['resume'];
  /** Of one attempt. */
  timeoutMs: number;
  /** What the model calls of a turn's thread have cost in this process so far, and forgets it. */
  takeSpent: (run: ClaimedRun) => number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** A document whose workers died this often is given up. */
const maxAttempts = 3;
/** One that goes on with what a person has decided: a decision is not lost because a server is restarted a few times. */
const maxResumes = 20;

/** How long work that was told to stop may take to end by itself; after that it is left alone, with no right to write. */
const endWithinMs = 2_000;

/**
 * Does a claimed run to its end and stores what came of it. Answers whether it did: a run that was lost, or that was put
 * back because this process stops, has no end here.
 */
export function createRunDocument(
  dependencies: RunDocumentDependencies,
): (run: ClaimedRun, control: RunControl) => Promise<boolean> {
  const { claims, works, undoWrites, resume, timeoutMs, takeSpent, log } = dependencies;

  async function attempt(
    run: ClaimedRun,
    control: RunControl,
    openTurn: string | undefined,
  ): Promise<RunOutcome | 'lost' | 'stopping' | { waitsFor: string }> {
    if (run.error) return failure(run.error, { rounds: [], text: '' });
    if (run.attempts > (run.parkedTurn === undefined ? maxAttempts : maxResumes))
      return failure(workerLost, { rounds: [], text: '' });
    const work = works[run.kind];
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(new RunStop('timeout')), timeoutMs);
    let isLeaseLost = false;
    const signal = AbortSignal.any([control.signal, time.signal]);
    const requireHeld = async () => {
      signal.throwIfAborted();
      if (isLeaseLost) throw new RunStop('lost');
      await control.requireHeld();
    };
    let progress: AgentProgress;
    try {
      const agent =
        openTurn === undefined
          ? await unlessStopped(work.begin(run, { signal, requireHeld }), signal)
          : resume(run, openTurn, signal);
      progress = await unlessStopped(agent.ended, signal).catch(() => agent.soFar());
      const waitsFor = agent.waitsFor?.();
      await agent.breakOff(waitsFor === undefined ? (progress.error ?? signal.reason) : new RunStop('waits', waitsFor));
      if (waitsFor !== undefined && whyStopped(signal) === undefined) return { waitsFor };
    } catch (error) {
      if (error instanceof RunStop && error.runId !== undefined) return { waitsFor: error.runId };
      progress = { rounds: [], text: '', error: describeFailure(error) };
      if (!(error instanceof DomainError || error instanceof RunStop)) {
        log.error({ err: error, document_run_id: run.id }, 'a run without a person could not begin');
      }
    } finally {
      isLeaseLost = true;
      clearTimeout(timer);
    }
    return judge(work, progress, whyStopped(signal));
  }

  function judge(work: HeadlessWork, progress: AgentProgress, stopped: RunStop['why'] | undefined) {
    if (stopped === 'lost' || stopped === 'stopping') return stopped;
    if (stopped === 'cancelled') return { ...failure(cancelled, progress), state: 'cancelled' as const };
    if (progress.parkedTurn !== undefined) return parked(progress);
    const error = stopped === 'timeout' ? tookTooLong(timeoutMs) : progress.error;
    const proposal = work.proposalOf?.(progress, error !== undefined) ?? null;
    const objection = proposal ? work.objectionTo?.(progress) : undefined;
    if (objection) return failure(objection, progress);
    if (proposal) return success(proposal, progress);
    if (!error && !proposal && progress.kept) {
      return { ...failure(progress.kept, progress), state: 'skipped' as const };
    }
    if (error && isReviewed(error)) return { ...failure(error, progress), state: 'skipped' as const };
    if (error) return failure(error, progress);
    return work.proposalOf ? failure(withoutResult(progress), progress) : success(null, progress);
  }

  return async (run, control) => {
    const who = { organizationId: run.organizationId, userId: run.requestedBy };
    const openTurn = run.formerTurnIds.length > 0 ? await dependencies.openTurn(run) : undefined;
    if (openTurn === undefined && run.formerTurnIds.length > 0) {
      await undoWrites(who, run.formerTurnIds);
      await claims.forgetTurns(run, run.formerTurnIds);
    }
    const outcome = await attempt(run, control, openTurn);
    const spuUsed = takeSpent(run);
    if (outcome === 'lost') return false;
    if (typeof outcome === 'object' && 'waitsFor' in outcome) {
      await undoWrites(who, [run.turnId]);
      await claims.putOff(run, outcome.waitsFor);
      return false;
    }
    if (outcome === 'stopping') {
      if (openTurn === undefined) await undoWrites(who, [run.turnId]);
      await claims.release(run);
      return false;
    }
    if (outcome.state !== 'succeeded' && outcome.state !== 'waiting' && works[run.kind].isUndoneOnFailure) {
      if (outcome.error && !(await claims.condemn(run, outcome.error))) return false;
      await undoWrites(who, [openTurn ?? run.turnId]);
    }
    const isStored = await claims.finish(run, { ...outcome, spuUsed });
    if (!isStored) log.warn({ document_run_id: run.id }, 'another worker has taken a run');
    return isStored;
  };
}

/** The promise's value, or the signal's reason once it has been aborted for a while and the promise goes on regardless. */
async function unlessStopped<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), endWithinMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
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

const workerLost = {
  code: 'worker_lost',
  message: 'The server stopped in the middle of this run three times. Start it again.',
};

/** A person's work stands there, which is left alone. */
function isReviewed({ code }: { code: string }): boolean {
  return code === 'result_edited' || code === 'result_verified';
}

function tookTooLong(milliseconds: number) {
  const seconds = Math.round(milliseconds / 1000);
  return {
    code: 'headless_timeout',
    message: `The run took longer than ${seconds} s (HEADLESS_TIMEOUT_SECONDS) and was ended. Start it again.`,
  };
}

/** Why nothing came of a run that ended by itself, in the words of its last failed call or of the model. */
function withoutResult({ rounds, text }: AgentProgress) {
  const failed = rounds.flatMap((round) => round.tool_calls).findLast(({ success }) => !success);
  const said = failed ? `${failed.name}: ${failed.error ?? ''}` : text;
  const reason =
    said === '' ? '' : ` ${failed ? 'The last call that failed' : 'The agent said'}: ${said.slice(0, 500)}`;
  return { code: 'no_extraction', message: `The run ended without an extraction.${reason}` };
}

/** Characters of one text, and of one call's arguments or result as JSON. A log has as many rounds as a turn may have. */
const maxTextCharacters = 8_000;
const maxJsonCharacters = 16_000;

/** Tried in this order until a value is short enough. */
const cuts = [
  { items: 50, characters: 2_000 },
  { items: 10, characters: 500 },
  { items: 3, characters: 100 },
];

/** What a run said and did, bounded; the closing text is its last round. */
function agentLogOf(rounds: readonly ExecutedRound[], text: string): AgentLog {
  const closing: ExecutedRound[] = text === '' ? [] : [{ round_index: rounds.length, text, tool_calls: [] }];
  return [...rounds, ...closing].map((round) => ({
    ...round,
    text: shortText(round.text),
    ...(round.thinking === undefined ? {} : { thinking: shortText(round.thinking) }),
    tool_calls: round.tool_calls.map(shortCall),
  }));
}

function shortCall(call: ExecutedCall): ExecutedCall {
  return {
    ...call,
    arguments:
      call.arguments.length <= maxJsonCharacters ? call.arguments : JSON.stringify(short(parsed(call.arguments))),
    ...(call.result === undefined ? {} : { result: short(call.result) }),
    ...(call.error === undefined ? {} : { error: shortText(call.error) }),
  };
}

function short(value: unknown): unknown {
  const fits = (candidate: unknown) => (JSON.stringify(candidate) ?? '').length <= maxJsonCharacters;
  if (fits(value)) return value;
  for (const { items, characters } of cuts) {
    const shorter = shortenLongLists(value, items, characters);
    if (fits(shorter)) return shorter;
  }
  return { cut: `${(JSON.stringify(value) ?? '').slice(0, 1_000)}…` };
}

function shortText(text: string): string {
  return text.length <= maxTextCharacters
    ? text
    : `${text.slice(0, maxTextCharacters)}[cut: ${text.length - maxTextCharacters} more characters]`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { cut: `${text.slice(0, 1_000)}…` };
  }
}
