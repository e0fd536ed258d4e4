import { DomainError } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { createPartyPlaces } from './party-places.ts';

const header = vi.fn<(name: string, value: number) => void>();
const reply = { header } as unknown as FastifyReply;
const requestOf = (organizationId: string, userId: string) =>
  ({ actor: { organizationId, userId } }) as unknown as FastifyRequest;

it('limits the places of a user and of an organization, and each place is freed once', () => {
  const full = new DomainError('rate_limited', 'too_many_turns', 'Wait.');
  const take = createPartyPlaces(
    { user: 1, organization: 2 },
    () => 1,
    () => full,
  );
  const free = take(requestOf('one', 'ada'), reply);
  expect(() => take(requestOf('one', 'ada'), reply)).toThrow(full);
  expect(header.mock.calls).toEqual([['retry-after', 5]]);
  take(requestOf('one', 'ben'), reply);
  expect(() => take(requestOf('one', 'clara'), reply)).toThrow(full);
  take(requestOf('other', 'ada'), reply);
  free();
  free();
  take(requestOf('one', 'ada'), reply);
  expect(() => take(requestOf('one', 'clara'), reply)).toThrow(full);
});
