import { groundInSteps } from '../grounding/ground-result.ts';
import type { Grounding } from '../grounding/grounding.ts';
import type { Page } from '../page/page.ts';

/** `groundResult` without turns for other work. */
export function groundAtOnce(
  result: unknown,
  pages: readonly Page[],
  evidence: Readonly<Record<string, string>> = {},
  raw: Readonly<Record<string, string>> = {},
): Record<string, Grounding> {
  const steps = groundInSteps(result, pages, evidence, raw);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
