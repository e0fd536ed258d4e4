import type {
  createThreadAnswer,
  latestTurnAnswer,
  Thread,
  threadList,
  threadListQuery,
  ThreadSummary,
} from '@docwright/contract';
import type { z } from 'zod';
import { everyPage } from '../../client/every-page.ts';
import type { OrganizationApi } from '../../client/organization-api.ts';
import type { CallOptions } from '../../client/transport.ts';

type ThreadList = z.infer<typeof threadList>;
/** Filter and page of `chat.threads.list`. */
export type ThreadQuery = Partial<z.infer<typeof threadListQuery>>;

/** The user's own conversations about a document. */
export function createThreads(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'chat', 'threads', ...rest];
  const list = (documentId: string, query: ThreadQuery = {}, options?: CallOptions): Promise<ThreadList> =>
    api.get(at(documentId), { ...query }, options);
  return {
    /** Lists a page of threads, without their messages. */
    list,
    /** Yields all threads of a document that match the query. */
    listAll: (documentId: string, query: ThreadQuery = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list(documentId, { ...query, ...page }, options),
        ({ threads }) => threads,
      ),
    /** Creates an empty thread. */
    create: (documentId: string, title?: string, options?: CallOptions): Promise<z.infer<typeof createThreadAnswer>> =>
      api.send('POST', at(documentId), title === undefined ? {} : { title }, options),
    /** A thread with its messages, and its pending turn if it has one. */
    get: (documentId: string, threadId: string, options?: CallOptions): Promise<Thread> =>
      api.get(at(documentId, threadId), {}, options),
    /** The state of the newest turn of a thread, without the messages, to detect changes. */
    latestTurn: (
      documentId: string,
      threadId: string,
      options?: CallOptions,
    ): Promise<z.infer<typeof latestTurnAnswer>> => api.get(at(documentId, threadId, 'latest_turn'), {}, options),
    /** Changes the title of a thread. */
    rename: (documentId: string, threadId: string, title: string, options?: CallOptions): Promise<ThreadSummary> =>
      api.send('PATCH', at(documentId, threadId), { title }, options),
    /** Deletes a thread with its messages. */
    delete: (documentId: string, threadId: string, options?: CallOptions): Promise<void> =>
      api.delete(at(documentId, threadId), options),
  };
}
