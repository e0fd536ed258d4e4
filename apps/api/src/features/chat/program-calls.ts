import { isDeepStrictEqual } from 'node:util';
import {
  prepareCall,
  programMessage,
  staleReason,
  type DocumentAgentServices,
  type GivenCalls,
  type ToolContext,
  type TurnStore,
} from '@docwright/agent-core';
import { DomainError, type TurnAnswer } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import { type ThreadOwner, type ThreadRepository, ownerOf } from '../threads/index.ts';
import { startTurn } from './running/start-turn.ts';
import type { ChatServiceDependencies } from './running/start-turn.ts';
import { type PendingCallWriter, type TurnRepository, isPending } from '../turns/index.ts';
import type { RunningTurn } from './running/turn-runner.ts';

/** A call that a program makes on behalf of a user. */
export interface ProgramCall {
  documentId: string;
  /** The program's own name, shown to the user. */
  program: string;
  via: GivenCalls['via'];
  name: string;
  /** JSON. */
  arguments: string;
  /** False if the call does not concern the document, and only its card is shown there. */
  areOfDocument: boolean;
}

/** Makes calls of programs turns in a thread of the document: they are approved, run and undone like an agent's. */
export type ProgramCalls = ReturnType<typeof createProgramCalls>;

/** How many threads of one program on one document are searched for an idle one. */
const maxThreadsSearched = 10;

export function createProgramCalls(
  dependencies: ChatServiceDependencies & {
    turnStore: Pick<TurnStore, 'find'>;
    pendingCalls: Pick<PendingCallWriter, 'threadsAwaiting'>;
  },
) {
  const { threadsOf, turnsOf, turnStore, pendingCalls } = dependencies;
  /** By call: the last one that is being found or started. */
  const open = new Map<string, Promise<unknown>>();

  /** A thread without a pending turn, which a new turn would supersede. */
  async function findIdleThread(owner: ThreadOwner, title: string): Promise<string | undefined> {
    for (const id of await threadsNamed(threadsOf(owner), title)) {
      const latest = await turnsOf(owner).latestIn(id);
      if (!latest || (latest.status !== 'running' && !isPending(latest))) return id;
    }
    return undefined;
  }

  async function startIn(actor: Actor, call: ProgramCall, knownId: string | undefined): Promise<RunningTurn> {
    const document = await dependencies.documentOf(actor, call.documentId);
    const owner = ownerOf(actor, call.documentId);
    const threads = threadsOf(owner);
    const { name, arguments: args, via, areOfDocument } = call;
    const given = { via, calls: [{ name, arguments: args }], areOfDocument };
    const model = await dependencies.chooseModel(actor, undefined, undefined);
    const settings = { model, mentions: [], autoApprove: false, autoApprovedTools: [], given };
    const workingState = await dependencies.startingState(actor, call.documentId);
    const added = [{ role: 'user' as const, content: programMessage(call.program, name) }];
    const threadId =
      knownId ??
      (await threads.create({ title: titleOf(call), model, working_state: workingState, messages: added })).id;
    return startTurn(dependencies, {
      actor,
      owner,
      threadId,
      isNewThread: knownId === undefined,
      settings,
      services: dependencies.servicesFor(actor, document, settings),
      workingState,
      async messages() {
        if (knownId === undefined) return [];
        await requireNonePending(turnsOf(owner), knownId);
        await threads.append(knownId, added, { model });
        return [];
      },
    });
  }

  /** Whether the object that the pending call would change has changed since the proposal. */
  async function isStale(actor: Actor, owner: ThreadOwner, { id }: { id: string }): Promise<boolean> {
    const lookup = await turnStore.find(id, owner);
    if (lookup.state !== 'waiting') return false;
    const { batch, settings, workingState } = lookup.turn;
    const [proposed] = batch.calls;
    const baseline = proposed && batch.baselines[proposed.id];
    if (!proposed || !baseline) return false;
    const prepared = prepareCall(dependencies.profileOf(owner.documentId).tools, proposed.name, proposed.arguments);
    if (prepared.refusal !== undefined) return false;
    const document = await dependencies.documentOf(actor, owner.documentId);
    const context: ToolContext<DocumentAgentServices> = {
      services: dependencies.servicesFor(actor, document, settings),
      workingState: { get: () => workingState, update: () => undefined },
      origin: { call_id: proposed.id },
      signal: new AbortController().signal,
    };
    return (await staleReason(prepared, context, { baseline, isEdited: false })) !== undefined;
  }

  return {
    /** Works on the same call one after the other: of two at once, the second finds the card of the first. */
    async oneAfterAnother<Result>(actor: Actor, call: ProgramCall, work: () => Promise<Result>): Promise<Result> {
      const { documentId, program, name, arguments: args } = call;
      const key = JSON.stringify([actor.organizationId, actor.userId, documentId, program, name, args]);
      const made = (open.get(key) ?? Promise.resolve()).then(work, work);
      open.set(key, made);
      try {
        return await made;
      } finally {
        if (open.get(key) === made) open.delete(key);
      }
    },
    /** The answer of the turn in which the same call is already pending. */
    async findPending(actor: Actor, call: ProgramCall): Promise<TurnAnswer | undefined> {
      const owner = ownerOf(actor, call.documentId);
      const { name, arguments: args } = call;
      for (const id of await pendingCalls.threadsAwaiting(owner, call)) {
        if ((await threadsOf(owner).get(id))?.title !== titleOf(call)) continue;
        const turn = await turnsOf(owner).pendingIn(id);
        const given = turn?.beginning?.settings.given?.calls[0];
        if (!turn || given?.name !== name || !isDeepStrictEqual(JSON.parse(given.arguments), JSON.parse(args)))
          continue;
        if (!(await isStale(actor, owner, turn))) return turn.answer;
        // A stale call would fail. It is superseded, so that the call is proposed again for the current object.
        await dependencies.endPendingTurn(owner, turn, 'superseded');
      }
      return undefined;
    },
    /** Throws `document_not_found` if the document does not belong to the organization. */
    async start(actor: Actor, call: ProgramCall): Promise<RunningTurn> {
      const known = await findIdleThread(ownerOf(actor, call.documentId), titleOf(call));
      try {
        return await startIn(actor, call, known);
      } catch (error) {
        // Another call of the program has just started in this thread.
        if (known === undefined || !(error instanceof DomainError) || error.code !== 'turn_running') throw error;
        return startIn(actor, call, undefined);
      }
    },
  };
}

function titleOf({ program }: ProgramCall): string {
  return `From ${program}`;
}

async function threadsNamed(threads: ThreadRepository, title: string): Promise<string[]> {
  const { threads: found } = await threads.list({ name_search: title, skip: 0, limit: maxThreadsSearched });
  return found.filter((thread) => thread.title === title).map(({ id }) => id);
}

async function requireNonePending(turns: TurnRepository, threadId: string): Promise<void> {
  if (!(await turns.pendingIn(threadId))) return;
  throw new DomainError('conflict', 'turn_running', 'Another call of this program is pending in this thread.');
}
