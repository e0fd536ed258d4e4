import type { PipelineTemplate } from '@docwright/agent-core';
import type { Pipeline } from '@docwright/contract';

const parsers: Pipeline['parsers'] = [
  { extensions: ['pdf'], plugin_id: 'pdf_text', config: {}, fallback_plugin_id: 'ocr' },
  { extensions: ['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp'], plugin_id: 'ocr', config: {} },
  { extensions: ['docx'], plugin_id: 'docx', config: {} },
  { extensions: ['xlsx', 'csv'], plugin_id: 'spreadsheet', config: {} },
  { extensions: ['html', 'htm'], plugin_id: 'html', config: {} },
  { extensions: ['eml'], plugin_id: 'email', config: {} },
  { extensions: ['txt', 'md', 'markdown'], plugin_id: 'plain', config: {} },
];

/** Pipelines to begin with. They find by words alone, which works without an embeddings model. */
export const pipelineTemplates: PipelineTemplate[] = [
  {
    id: 'mixed',
    name: 'Mixed documents',
    description: 'Any mixture of PDF, scans, office files, web pages, e-mail and text. Scanned PDFs are read with OCR.',
    pipeline: { parsers, chunker: { plugin_id: 'recursive', config: {} }, embedder: null },
  },
  {
    id: 'pages',
    name: 'Page by page',
    description: 'Invoices, forms and letters, where a page is what is looked for.',
    pipeline: { parsers, chunker: { plugin_id: 'page', config: {} }, embedder: null },
  },
  {
    id: 'chapters',
    name: 'By headings',
    description: 'Manuals, contracts and Markdown with headings, where a section is what is looked for.',
    pipeline: { parsers, chunker: { plugin_id: 'heading', config: {} }, embedder: null },
  },
];
