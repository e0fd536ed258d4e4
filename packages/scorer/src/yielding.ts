import { compareStepwise, type Comparison, type ComparisonInput } from './compare-results.ts';

/** Time between two yields. A longer one would delay other work noticeably. */
const sliceMs = 8;

/**
 * Compares like `compareResults`, and yields to the event loop every few milliseconds, also for large lists.
 *
 * @param yieldToOthers resolves when the comparison can continue; by default in the next round of the event loop
 * @example
 * ```ts
 * import { compareResultsYielding } from '@docwright/scorer';
 *
 * const rows = Array.from({ length: 200 }, (_, row) => ({ row }));
 * const { totals } = await compareResultsYielding({ truth: { rows }, before: { rows }, after: { rows: rows.slice(1) } });
 * totals.broken; // 1
 * ```
 */
export async function compareResultsYielding(
  input: ComparisonInput,
  yieldToOthers: () => Promise<void> = nextRound,
): Promise<Comparison> {
  const comparing = compareStepwise(input);
  let sliceStarted = performance.now();
  for (;;) {
    const step = comparing.next();
    if (step.done) return step.value;
    if (performance.now() - sliceStarted < sliceMs) continue;
    await yieldToOthers();
    sliceStarted = performance.now();
  }
}

const nextRound = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
