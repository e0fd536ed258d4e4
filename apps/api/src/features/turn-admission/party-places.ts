import type { DomainError } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shareOf } from '../../platform/processes/share-of.ts';
import type { PerParty } from './turn-limits.ts';

/**
 * Takes a place for the request's user and organization, and returns the function that frees it. If one of them has no
 * free place, sets `retry-after` and throws.
 */
export type TakePlace = (request: FastifyRequest, reply: FastifyReply) => () => void;

/** The `retry-after` header: an estimate, because it is unknown when a place becomes free. */
const retryAfterSeconds = 5;

/**
 * A limited number of places for concurrent work, for each user and each organization.
 * @param max the limits over all processes; each of `apiProcesses` has its share.
 */
export function createPartyPlaces(max: PerParty, apiProcesses: () => number, limitError: () => DomainError): TakePlace {
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;
  return ({ actor: { organizationId, userId } }, reply) => {
    const userKey = `${organizationId}/${userId}`;
    const limitOf = (party: keyof PerParty) => shareOf(max[party], apiProcesses());
    if (count(userKey) >= limitOf('user') || count(organizationId) >= limitOf('organization')) {
      void reply.header('retry-after', retryAfterSeconds);
      throw limitError();
    }
    const keys = [userKey, organizationId];
    for (const key of keys) taken.set(key, count(key) + 1);
    return () => {
      for (const key of keys.splice(0)) {
        if (count(key) > 1) taken.set(key, count(key) - 1);
        else taken.delete(key);
      }
    };
  };
}
