/** A copy is stored again when so many of its values have changed, and when what is stored grows old. */
const changedShare = 0.01;
const minChanged = 1_000;
const maxStoredAgeMs = 6 * 3_600_000;
/** Storing a million rows takes some seconds of processor time. */
const minStoredAgeMs = 10 * 60_000;

/** Whether a copy in memory is to be stored for processes that start later. `storedAt` is 0 if it never was. */
export function isDueToStore({
  storedAt,
  changes,
  size,
}: {
  storedAt: number;
  changes: number;
  size: number;
}): boolean {
  const age = Date.now() - storedAt;
  return age > maxStoredAgeMs || (age > minStoredAgeMs && changes > Math.max(minChanged, size * changedShare));
}
