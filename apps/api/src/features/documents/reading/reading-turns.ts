import type { WaitingUser } from './document-claim-repository.ts';

/** Half of the time that documents took is forgotten after so long. */
const halfLifeMs = 60_000;

/**
 * Whose document is read next: that of the organization whose documents took this process the least time lately, and among
 * those that users wait for, of the user in it whose documents did. A long queue of one so delays another by the documents
 * that are being read, not by those that wait.
 *
 * @example
 * const turns = createReadingTurns(() => performance.now());
 * turns.count({ organizationId: 'a', userId: 'ann' }, 3_000);
 * turns.organizations(['a', 'b']); // ['b', 'a']
 */
export function createReadingTurns(now: () => number) {
  const byOrganization = createUses(now);
  const byUser = createUses(now);
  const keyOf = ({ organizationId, userId }: WaitingUser) => `${organizationId}/${userId}`;

  return {
    /** Counts time that a document took. */
    count(user: WaitingUser, milliseconds: number): void {
      byOrganization.add(user.organizationId, milliseconds);
      byUser.add(keyOf(user), milliseconds);
    },
    organizations: (ids: readonly string[]): string[] =>
      ids.toSorted((one, other) => byOrganization.of(one) - byOrganization.of(other)),
    users: (users: readonly WaitingUser[]): WaitingUser[] =>
      users.toSorted(
        (one, other) =>
          byOrganization.of(one.organizationId) - byOrganization.of(other.organizationId) ||
          byUser.of(keyOf(one)) - byUser.of(keyOf(other)),
      ),
  };
}

/** Times by key, of which half is forgotten after a while. */
function createUses(now: () => number) {
  const used = new Map<string, { milliseconds: number; at: number }>();
  const of = (key: string): number => {
    const last = used.get(key);
    return last === undefined ? 0 : last.milliseconds * 0.5 ** ((now() - last.at) / halfLifeMs);
  };
  return {
    of,
    add(key: string, milliseconds: number): void {
      used.set(key, { milliseconds: of(key) + milliseconds, at: now() });
      // After 60 half-lives, less than a millisecond is left.
      for (const [other, { at }] of used) if (now() - at > 60 * halfLifeMs) used.delete(other);
    },
  };
}
