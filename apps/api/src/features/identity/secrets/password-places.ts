import { DomainError } from '@docwright/contract';
import { networkOf } from '../../../platform/network/network-of.ts';
import { createBoundedQueue } from '../../../platform/places/bounded-queue.ts';
import { createFairPlaces } from '../../../platform/places/fair-places.ts';

/**
 * Requests that hash passwords at once: a hash takes 19 MB and one of the four threads for files. One address does not have
 * all places, so that it holds up no other.
 */
const places = { inAll: 3, ofParty: 2 };
/** Requests that wait for a place: of one address, and in all. */
const maxWaiting = { ofParty: 50, inAll: 500 };
/** An estimate: a full queue is worked off in about ten seconds. */
const retryAfterSeconds = 10;

export type PasswordPlaces = ReturnType<typeof createPasswordPlaces>;

/** Lets few requests hash passwords at once: each is expensive, and anybody can send thousands. */
export function createPasswordPlaces() {
  const queue = createBoundedQueue(createFairPlaces(places), maxWaiting, tooMany);

  /**
   * Runs work that hashes passwords when it is the turn of the address.
   * @throws DomainError too_many_passwords
   */
  return async <Answer>(address: string, work: () => Promise<Answer>): Promise<Answer> => {
    const party = networkOf(address);
    queue.requireRoom(party);
    const leave = await queue.enter(party);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

function tooMany(): DomainError {
  const message = `Too many passwords are being checked. Try again in ${retryAfterSeconds} seconds.`;
  return new DomainError('rate_limited', 'too_many_passwords', message, { retry_after_seconds: retryAfterSeconds });
}
