import type { Connection } from 'mongoose';
import { objectIdsOf } from '../../platform/database/object-id.ts';
import { threadModel } from './thread-model.ts';

/** Whether a thread belongs to the user in the organization, on any document. */
type OwnThreadExists = (user: { organizationId: string; userId: string }, threadId: string) => Promise<boolean>;

export function createOwnThreadRepository(connection: Connection): OwnThreadExists {
  const threads = threadModel(connection);
  return async ({ organizationId, userId }, threadId) => {
    const found = await threads.exists({
      _id: { $in: objectIdsOf([threadId]) },
      organization_id: { $in: objectIdsOf([organizationId]) },
      user_id: { $in: objectIdsOf([userId]) },
    });
    return found !== null;
  };
}
