import {
  DomainError,
  type LatestTurn,
  type Thread,
  type ThreadSummary,
  type TurnAnswer,
  type WorkingState,
} from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { StoredThread, ThreadOwner, ThreadQuery, ThreadRepository } from './thread-repository.ts';
import type { PageEnd } from '../../platform/database/page.ts';

interface ThreadServiceDependencies {
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  /** Throws `document_not_found` if the organization has no such document. */
  requireDocument: (actor: Actor, documentId: string) => Promise<void>;
  /** The initial working state of a new thread. */
  startingState: (actor: Actor, documentId: string) => Promise<WorkingState>;
  /** The answer of the pending turn in the thread, if any. */
  pendingTurn: (actor: Actor, owner: ThreadOwner, threadId: string) => Promise<TurnAnswer | undefined>;
  latestTurn: (owner: ThreadOwner, threadId: string) => Promise<LatestTurn | undefined>;
  /** The model of a thread's next turn; `last` is the model of its last turn. */
  nextModel: (owner: ThreadOwner, last: string | undefined) => Promise<string>;
  /** Removes the other data of a deleted thread. */
  onDelete: (owner: ThreadOwner, threadId: string) => Promise<void>;
}

/** The threads of one user on one document. Throws `thread_not_found` for an unknown or foreign id. */
export type ThreadService = ReturnType<typeof threadServiceFor>;

interface ThreadList extends PageEnd {
  threads: ThreadSummary[];
  skip: number;
  limit: number;
}

export const emptyWorkingState: WorkingState = { schema_revid: null, prompt_revid: null, extraction: null };

/** The caller's threads. Throws `document_not_found` before it reveals that a thread exists. */
export function createThreadService(
  dependencies: ThreadServiceDependencies,
): (actor: Actor, documentId: string) => Promise<ThreadService> {
  return async (actor, documentId) => {
    await dependencies.requireDocument(actor, documentId);
    const startingState = () => dependencies.startingState(actor, documentId);
    return threadServiceFor(ownerOf(actor, documentId), {
      ...dependencies,
      startingState,
      pendingTurn: (owner, threadId) => dependencies.pendingTurn(actor, owner, threadId),
    });
  };
}

export function ownerOf(actor: Actor, documentId: string): ThreadOwner {
  return { organizationId: actor.organizationId, documentId, userId: actor.userId };
}

function threadServiceFor(
  owner: ThreadOwner,
  {
    threadsOf,
    startingState,
    pendingTurn,
    latestTurn,
    nextModel,
    onDelete,
  }: Omit<ThreadServiceDependencies, 'startingState' | 'pendingTurn'> & {
    startingState: () => Promise<WorkingState>;
    pendingTurn: (owner: ThreadOwner, threadId: string) => Promise<TurnAnswer | undefined>;
  },
) {
  const threads = threadsOf(owner);
  return {
    async list(query: ThreadQuery): Promise<ThreadList> {
      return { ...(await threads.list(query)), skip: query.skip, limit: query.limit };
    },
    async create(title?: string): Promise<StoredThread> {
      return await threads.create({ title, working_state: await startingState() });
    },
    async get(id: string): Promise<Thread> {
      const thread = threadOrThrow(await threads.get(id));
      // The turn is read first: the messages then include all changes until that state.
      const latest_turn = await latestTurn(owner, id);
      const [messages, pending_turn, model] = await Promise.all([
        threads.messages(id),
        pendingTurn(owner, id),
        nextModel(owner, thread.model),
      ]);
      return { ...thread, model, messages, ...(pending_turn && { pending_turn }), ...(latest_turn && { latest_turn }) };
    },
    /** The state of the newest turn of a thread. */
    async latestTurn(id: string): Promise<LatestTurn | undefined> {
      threadOrThrow(await threads.get(id));
      return await latestTurn(owner, id);
    },
    async rename(id: string, title: string): Promise<ThreadSummary> {
      return threadOrThrow(await threads.rename(id, title));
    },
    async delete(id: string): Promise<void> {
      threadOrThrow((await threads.remove(id)) || undefined);
      await onDelete(owner, id);
    },
  };
}

export function threadOrThrow<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'thread_not_found', 'There is no such thread.');
  return value;
}
