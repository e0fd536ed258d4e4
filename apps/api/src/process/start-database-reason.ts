import type { mongo } from 'mongoose';

const refusesSignIn = new Set<unknown>([13, 18, 8000]);

/** What the driver says, in one line and without the address, which may hold a password. */
export function reasonOf(error: unknown): string {
  if (refusesSignIn.has((error as { code?: unknown }).code)) {
    return 'the database refuses the sign-in: its user or password in MONGODB_URI is wrong or missing.';
  }
  const wanted = missedReplicaSet(error);
  if (wanted !== undefined) return `no member of the replica set "${wanted}" is there.`;
  const [first = ''] = (error as Error).message.split('\n');
  const line = first.replaceAll(/mongodb(\+srv)?:\/\/\S+/g, 'MONGODB_URI').slice(0, 300);
  return /[.!]$/.test(line) ? line : `${line}.`;
}

/** The name of the replica set in the address, where servers answer and none of them belongs to it. */
function missedReplicaSet(error: unknown): string | undefined {
  const { reason } = error as { reason?: Partial<mongo.TopologyDescription> | null };
  if (typeof reason?.setName !== 'string' || !(error as Error).message.includes('timed out')) return undefined;
  const failed = [...(reason.servers?.values() ?? [])].some((server) => server.error !== null);
  return failed ? undefined : reason.setName;
}
