export { createPartyPlaces } from './party-places.ts';
export type { TurnAdmission } from './turn-admission.ts';
export type { PerParty } from './turn-limits.ts';
