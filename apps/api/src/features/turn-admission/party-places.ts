import type { DomainError } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { PerParty } from './turn-limits.ts';

export type Party = Pick<Actor, 'organizationId' | 'userId'>;

/** Takes a place and returns the function that frees it; throws if the user or the organization has no free place. */
export type TakePlace = (party: Party) => () => void;

/** A limited number of places for concurrent work, for each user and each organization. */
export function createPartyPlaces(max: PerParty, limitError: () => DomainError): TakePlace {
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;
  return ({ organizationId, userId }) => {
    const userKey = `${organizationId}/${userId}`;
    if (count(userKey) >= max.user || count(organizationId) >= max.organization) throw limitError();
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
