import { createFairPlaces } from './fair-places.ts';

/**
 * The reads with which open streams look for changes: few at once, one of an organization. Hundreds of streams would
 * otherwise ask the database for more than it can answer, and nobody else would get an answer either.
 */
const enter = createFairPlaces({ inAll: 2, ofParty: 1 });
const maxRestMs = 2_000;

/**
 * Runs a read of an open stream when it is the organization's turn. Its place then rests for as long as the read took, so
 * that streams take at most half of the time that the slower of server and database has.
 */
export async function pollInTurn<Value>(
  { organizationId }: { organizationId: string },
  read: () => Promise<Value>,
): Promise<Value> {
  const leave = await enter(organizationId);
  const begun = performance.now();
  try {
    return await read();
  } finally {
    setTimeout(leave, Math.min(performance.now() - begun, maxRestMs)).unref();
  }
}
