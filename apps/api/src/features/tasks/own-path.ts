import { DomainError } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';

/** Runs before the body is validated. A path belongs to its user only; admins have no access. */
export async function requireOwnPath(request: FastifyRequest): Promise<void> {
  const { user_id } = request.params as { user_id?: string };
  if (user_id === undefined || user_id.toLowerCase() === request.actor.userId) return;
  throw new DomainError(
    'forbidden',
    'not_your_path',
    'These tasks belong to another user. Use your own user id in the path; GET /v0/me returns it.',
  );
}
