export { createOwnThreadRepository } from './own-thread-repository.ts';
export { threadMessageModel, threadModel, type StoredCall, type ThreadMessageRecord } from './thread-model.ts';
export { createThreadRepositories } from './thread-repository.ts';
export type { NewThreadMessage, StoringOfMessages, ThreadOwner, ThreadRepository } from './thread-repository.ts';
export { documentConversations, threadRoutes } from './thread-routes.ts';
export { createThreadService, emptyWorkingState, ownerOf, threadOrThrow } from './thread-service.ts';
export type { ConversationArea } from './thread-routes.ts';
export { documentsHeldBy } from './stored-thread.ts';
