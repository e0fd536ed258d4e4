import { seenContentInSteps, type SeenContent } from '../provenance/seen-content.ts';

/** The content that a turn has seen, read without a pause. */
export function seenContent<Services>(...read: Parameters<typeof seenContentInSteps<Services>>): SeenContent {
  const steps = seenContentInSteps(...read);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
