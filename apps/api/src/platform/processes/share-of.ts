/**
 * The part of a limit for one of several equal processes, so that all together stay within it; at least 1.
 *
 * @example
 * shareOf(50, 2); // 25
 */
export const shareOf = (limit: number, processes: number): number => Math.max(1, Math.floor(limit / processes));
