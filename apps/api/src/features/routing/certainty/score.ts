/** The lead over the next best, from 0 (behind by everything) to 1; without others, the fit itself. */
export function marginScore(own: number, others: readonly number[]): number {
  return others.length === 0 ? own : (1 + own - Math.max(...others)) / 2;
}

/** The mean of what was measured, to the thousandth. */
export function scoreOf(measures: readonly number[]): number {
  return Math.round((measures.reduce((sum, value) => sum + value, 0) / measures.length) * 1000) / 1000;
}
