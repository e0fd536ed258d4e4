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

interface ThreadServiceDependencies {
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  /** Throws `document_not_found` where the document is not the organization's. */
  requireDocument: (actor: Actor, documentId: string) => Promise<void>;
  /** What a new thread of that document begins with. */
  startingState: (actor: Actor, documentId: string) => Promise<WorkingState>;
  /** The answer of the turn that waits in the thread, if one does. */
  waitingTurn: (actor: Actor, owner: ThreadOwner, threadId: string) => Promise<TurnAnswer | undefined>;
  latestTurn: (owner: ThreadOwner, threadId: string) => Promise<LatestTurn | undefined>;
  /** The model of a thread's next turn, after the one that it was last used with. */
  nextModel: (owner: ThreadOwner, last: string | undefined) => Promise<string>;
  /** Removes what else belongs to a thread that was deleted. */
  onDelete: (owner: ThreadOwner, threadId: string) => Promise<void>;
}

/** The threads of one person on one document. A missing or foreign id is `thread_not_found`. */
export interface ThreadService {
  list(query: ThreadQuery): Promise<ThreadList>;
  create(title?: string): Promise<StoredThread>;
  get(id: string): Promise<Thread>;
  /** The state of the newest turn of a thread. */
  latestTurn(id: string): Promise<LatestTurn | undefined>;
  rename(id: string, title: string): Promise<ThreadSummary>;
  delete(id: string): Promise<void>;
}

interface ThreadList {
  threads: ThreadSummary[];
  total_count: number;
  skip: number;
  limit: number;
}

export const emptyWorkingState: WorkingState = { schema_revid: null, prompt_revid: null, extraction: null };

/** The caller's threads; throws `document_not_found` before it reveals anything about a thread. */
export function createThreadService(
  dependencies: ThreadServiceDependencies,
): (actor: Actor, documentId: string) => Promise<ThreadService> {
  return async (actor, documentId) => {
    await dependencies.requireDocument(actor, documentId);
    const startingState = () => dependencies.startingState(actor, documentId);
    return threadServiceFor(ownerOf(actor, documentId), {
      ...dependencies,
      startingState,
      waitingTurn: (owner, threadId) => dependencies.waitingTurn(actor, owner, threadId),
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
    waitingTurn,
    latestTurn,
    nextModel,
    onDelete,
  }: Omit<ThreadServiceDependencies, 'startingState' | 'waitingTurn'> & {
    startingState: () => Promise<WorkingState>;
    waitingTurn: (owner: ThreadOwner, threadId: string) => Promise<TurnAnswer | undefined>;
  },
): ThreadService {
  const threads = threadsOf(owner);
  return {
    async list(query) {
      return { ...(await threads.list(query)), skip: query.skip, limit: query.limit };
    },
    async create(title) {
      return await threads.create({ title, working_state: await startingState() });
    },
    async get(id) {
      const thread = threadOrThrow(await threads.get(id));
      // The turn first: what happens in between is in the messages, and whoever looks again sees that it has moved on.
      const latest_turn = await latestTurn(owner, id);
      const [messages, pending_turn, model] = await Promise.all([
        threads.messages(id),
        waitingTurn(owner, id),
        nextModel(owner, thread.model),
      ]);
      return { ...thread, model, messages, ...(pending_turn && { pending_turn }), ...(latest_turn && { latest_turn }) };
    },
    async latestTurn(id) {
      threadOrThrow(await threads.get(id));
      return await latestTurn(owner, id);
    },
    async rename(id, title) {
      return threadOrThrow(await threads.rename(id, title));
    },
    async delete(id) {
      threadOrThrow((await threads.remove(id)) || undefined);
      await onDelete(owner, id);
    },
  };
}

export function threadOrThrow<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'thread_not_found', 'There is no such thread.');
  return value;
}
