import path from 'node:path';
import { ocrEngines } from '@docwright/documents';
import type { Reading } from './read-pages.ts';

/** The options of the benchmarks that read documents and fill schemas with the demo model, for `parseArgs`. */
export const readingOptions = {
  corpus: { type: 'string' },
  keep: { type: 'string' },
  only: { type: 'string' },
  engine: { type: 'string', default: 'auto' },
  models: { type: 'string' },
  verbose: { type: 'boolean', default: false },
} as const;

interface GivenOptions {
  corpus?: string | undefined;
  keep?: string | undefined;
  engine: string;
  models?: string | undefined;
}

/** The folder of the corpus, and how pages are read. Throws for an unknown engine. */
export function readingOf(options: GivenOptions): { corpus: string; reading: Reading } {
  const root = path.resolve(import.meta.dirname, '../../..');
  const corpus = path.resolve(root, options.corpus ?? process.env['DOCWRIGHT_CORPUS'] ?? '../shared/corpus');
  const engine = ocrEngines.find((name) => name === options.engine);
  if (!engine) throw new Error(`--engine is ${ocrEngines.join(', ')}, not ${options.engine}.`);
  return { corpus, reading: { engine, modelsFolder: options.models ?? process.env['OCR_MODELS'], keep: options.keep } };
}
