import type {
  createThreadAnswer,
  latestTurnAnswer,
  Thread,
  threadList,
  threadListQuery,
  ThreadSummary,
} from '@docwright/contract';
import type { z } from 'zod';
import { everyPage } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

type ThreadList = z.infer<typeof threadList>;
export type ThreadQuery = Partial<z.infer<typeof threadListQuery>>;

/** The user's own conversations about a document. */
export function createThreads(api: OrganizationApi) {
  const at = (documentId: string, ...rest: string[]) => ['documents', documentId, 'chat', 'threads', ...rest];
  const list = (documentId: string, query: ThreadQuery = {}, options?: CallOptions): Promise<ThreadList> =>
    api.get(at(documentId), { ...query }, options);
  return {
    list,
    listAll: (documentId: string, query: ThreadQuery = {}, options?: CallOptions) =>
      everyPage(
        query,
        (page) => list(documentId, { ...query, ...page }, options),
        ({ threads }) => threads,
      ),
    create: (documentId: string, title?: string, options?: CallOptions): Promise<z.infer<typeof createThreadAnswer>> =>
      api.send('POST', at(documentId), title === undefined ? {} : { title }, options),
    /** The thread with its messages, and its pending turn if it has one. */
    get: (documentId: string, threadId: string, options?: CallOptions): Promise<Thread> =>
      api.get(at(documentId, threadId), {}, options),
    /** The state of its newest turn, without the messages: enough to detect changes. */
    latestTurn: (
      documentId: string,
      threadId: string,
      options?: CallOptions,
    ): Promise<z.infer<typeof latestTurnAnswer>> => api.get(at(documentId, threadId, 'latest_turn'), {}, options),
    rename: (documentId: string, threadId: string, title: string, options?: CallOptions): Promise<ThreadSummary> =>
      api.send('PATCH', at(documentId, threadId), { title }, options),
    delete: (documentId: string, threadId: string, options?: CallOptions): Promise<void> =>
      api.delete(at(documentId, threadId), options),
  };
}
