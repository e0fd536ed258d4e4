import type { FastifyRequest } from 'fastify';
import { networkOf } from '../network/network-of.ts';

/** Whose share of the process a request takes: the organization's, or the address's where a route has none. */
export function partyOf(request: FastifyRequest): string {
  try {
    return request.actor.organizationId;
  } catch {
    return networkOf(request.ip);
  }
}
