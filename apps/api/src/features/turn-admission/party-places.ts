import type { DomainError } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { PerParty } from './turn-limits.ts';

export type Party = Pick<Actor, 'organizationId' | 'userId'>;

/** Takes a place for somebody, and gives the function that leaves it; throws where person or organization has none left. */
export type TakePlace = (party: Party) => () => void;

/** A bounded number of places for what goes on at the same time, for each person and each organization. */
export function createPartyPlaces(most: PerParty, refusal: () => DomainError): TakePlace {
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;
  return ({ organizationId, userId }) => {
    const person = `${organizationId}/${userId}`;
    if (count(person) >= most.person || count(organizationId) >= most.organization) throw refusal();
    const keys = [person, organizationId];
    for (const key of keys) taken.set(key, count(key) + 1);
    return () => {
      for (const key of keys.splice(0)) {
        if (count(key) > 1) taken.set(key, count(key) - 1);
        else taken.delete(key);
      }
    };
  };
}
