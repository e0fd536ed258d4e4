import { createLanguageDetector } from '@docwright/language/detect';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { nameOfFile, sampledFile, type SourceAnalyzerServices } from '../findings.ts';

const readCharacters = 4000;
const detect = createLanguageDetector();

export const detectLanguage = defineTool({
  name: 'detect_language',
  description: 'The language of one sampled file as an ISO 639-1 code, und where it cannot be told.',
  effect: 'read_only',
  parameters: z.strictObject({ document_id: z.string() }),
  summarize: ({ document_id }, { findings }: SourceAnalyzerServices) =>
    `Finds out the language of ${nameOfFile(findings, document_id)}`,
  execute: async ({ services: { source, findings } }: ToolContext<SourceAnalyzerServices>, { document_id }) => {
    sampledFile(findings, document_id);
    const language = detect(await source.text(document_id, readCharacters)) ?? 'und';
    findings.languages.set(document_id, language);
    return { document_id, language };
  },
});
