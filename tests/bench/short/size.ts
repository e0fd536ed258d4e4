/** `npm run bench -- --short`: a run of a second or two that only shows that a benchmark works. Its figures mean nothing. */
export const isShort = process.env['BENCH_SHORT'] === 'true';

/** `full` in a measurement, `short` in the short form. */
export function size(full: number, short: number): number {
  return isShort ? short : full;
}
