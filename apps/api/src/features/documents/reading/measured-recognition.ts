import { traced } from '@docwright/agent-core';
import type { recognizePage } from '@docwright/documents';
import type { Metrics } from '../../../platform/metrics/metrics.ts';

/** Adds a metric for each recognised page. */
export function measureRecognition(
  recognize: typeof recognizePage,
  metrics: Pick<Metrics, 'ocrPages'>,
): typeof recognizePage {
  const measured: typeof recognizePage = async (input) => {
    const startedAt = performance.now();
    let outcome = 'failed';
    try {
      const read = await recognize(input);
      outcome = 'read';
      return read;
    } finally {
      if (outcome === 'failed' && input.signal?.aborted === true) outcome = 'stopped';
      metrics.ocrPages.observe({ outcome }, (performance.now() - startedAt) / 1_000);
    }
  };
  return (input) =>
    traced({ name: 'page.read', attributes: { 'docwright.page': input.pageNumber } }, () => measured(input));
}
