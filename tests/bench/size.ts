/** `npm run bench -- --short`: as much as shows that a benchmark still runs, in a second or two; its figures say nothing. */
export const isShort = process.env['BENCH_SHORT'] === 'true';

/** How much of something a benchmark uses: `full` where it measures, `short` where it only shows that it runs. */
export function size(full: number, short: number): number {
  return isShort ? short : full;
}
