/** Half of the time that an organization's documents took is forgotten after so long. */
const halfLifeMs = 60_000;

/**
 * Whose document is read next: that of the organization whose documents took this process the least time lately. A long
 * queue of one organization so delays another by the documents that are being read, not by those that wait.
 *
 * @example
 * const turns = createReadingTurns(() => performance.now());
 * turns.count('a', 3_000);
 * turns.inOrder(['a', 'b']); // ['b', 'a']
 */
export function createReadingTurns(now: () => number) {
  const used = new Map<string, { milliseconds: number; at: number }>();
  const usedBy = (organizationId: string): number => {
    const last = used.get(organizationId);
    return last === undefined ? 0 : last.milliseconds * 0.5 ** ((now() - last.at) / halfLifeMs);
  };

  return {
    /** Counts time that a document of the organization took. */
    count(organizationId: string, milliseconds: number): void {
      used.set(organizationId, { milliseconds: usedBy(organizationId) + milliseconds, at: now() });
      // After 60 half-lives, less than a millisecond is left.
      for (const [id, { at }] of used) if (now() - at > 60 * halfLifeMs) used.delete(id);
    },
    inOrder: (organizationIds: readonly string[]): string[] =>
      organizationIds.toSorted((one, other) => usedBy(one) - usedBy(other)),
  };
}
