import { DomainError } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Anything that is not the signed-in person’s own id is 403, whether it is an id at all or not. */
export const userPath = z.object({ user_id: z.string() });

export const whoseTasks = '403 where `user_id` is not the signed-in person, whoever else it may be.';

/** Before the body is looked at: a person’s path is for that person alone, an admin of their organization included. */
export async function requireOwnPath(request: FastifyRequest): Promise<void> {
  const { user_id } = request.params as { user_id?: string };
  if (user_id === undefined || user_id.toLowerCase() === request.actor.userId) return;
  throw new DomainError(
    'forbidden',
    'not_your_path',
    'These tasks are somebody else’s: put your own user id into the path, as GET /v0/me gives it.',
  );
}
