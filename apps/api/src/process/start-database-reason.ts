import type { mongo } from 'mongoose';

const refusesSignIn = new Set<unknown>([13, 18, 8000]);

/** The driver's message in one line, without the connection string, which can contain a password. */
export function reasonOf(error: unknown): string {
  if (refusesSignIn.has((error as { code?: unknown }).code)) {
    return 'the database refuses the sign-in: its user or password in MONGODB_URI is wrong or missing.';
  }
  const replicaSet = missedReplicaSet(error);
  if (replicaSet !== undefined) return `no member of the replica set "${replicaSet}" was found.`;
  const [first = ''] = (error as Error).message.split('\n');
  const line = first.replaceAll(/mongodb(\+srv)?:\/\/\S+/g, 'MONGODB_URI').slice(0, 300);
  return /[.!]$/.test(line) ? line : `${line}.`;
}

/** The name of the replica set in the connection string, if the reachable servers do not belong to it. */
function missedReplicaSet(error: unknown): string | undefined {
  const { reason } = error as { reason?: Partial<mongo.TopologyDescription> | null };
  if (typeof reason?.setName !== 'string' || !(error as Error).message.includes('timed out')) return undefined;
  const failed = [...(reason.servers?.values() ?? [])].some((server) => server.error !== null);
  return failed ? undefined : reason.setName;
}
