import type { recognizePage } from '@docwright/documents';
import type { Metrics } from '../../../platform/metrics/metrics.ts';

/** Measures every page that is recognised. */
export function measureRecognition(
  recognize: typeof recognizePage,
  metrics: Pick<Metrics, 'ocrPages'>,
): typeof recognizePage {
  return async (input) => {
    const began = performance.now();
    let outcome = 'failed';
    try {
      const read = await recognize(input);
      outcome = 'read';
      return read;
    } finally {
      if (outcome === 'failed' && input.signal?.aborted === true) outcome = 'stopped';
      metrics.ocrPages.observe({ outcome }, (performance.now() - began) / 1_000);
    }
  };
}
