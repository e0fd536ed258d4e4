import { createToolset } from '../../../tool/toolset.ts';
import type { SourceAnalyzerServices } from '../findings.ts';
import { detectLanguage } from './detect-language.ts';
import { detectPatterns } from './detect-patterns.ts';
import { enumerateFiles } from './enumerate-files.ts';
import { getFileContentPreview } from './get-file-content-preview.ts';
import { sampleFiles } from './sample-files.ts';
import { tryParser } from './try-parser.ts';

/** All that the source analyzer can do. */
export const sourceAnalyzerTools = createToolset<SourceAnalyzerServices>([
  enumerateFiles,
  sampleFiles,
  tryParser,
  detectLanguage,
  getFileContentPreview,
  detectPatterns,
]);
