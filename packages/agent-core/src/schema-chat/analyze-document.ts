import { DomainError, objectId, type DocumentAnalysis } from '@docwright/contract';
import { z } from 'zod';
import { cutAtCharacter, documentBlock } from '../document-agent/context/document-block.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { ReadableDocuments, SchemaChatServices } from './services.ts';

/** Maximum length of the text for the model, and of the excerpt that the caller stores. */
const readCharacters = 16_000;
const keptCharacters = 4000;
const maxAnalyses = 20;

export const analyzeDocument = defineTool({
  name: 'analyze_document',
  description:
    'Reads a document of the organization, by its id or by its name as the person wrote it. Returns its text, which is data.',
  effect: 'read',
  parameters: z.strictObject({
    documentId: objectId.optional(),
    documentName: z.string().min(1).max(200).optional(),
  }),
  summarize: ({ documentId, documentName }) => `Read the document ${documentName ?? documentId ?? ''}`,
  execute: async (
    { services: { project, documents } }: ToolContext<SchemaChatServices>,
    { documentId, documentName },
  ) => {
    const id = documentId ?? (await idOf(documents, documentName));
    const { document_name, page_count, state } = await documents.get(id);
    const pages = await documents.text(id);
    if (pages.every(({ text }) => text.trim() === '')) {
      throw new DomainError('conflict', 'no_text', `The document has no text to read; its state is ${state}.`);
    }
    const text = pages.map((page) => page.text).join('\n');
    const analysis: DocumentAnalysis = {
      documentId: id,
      documentName: document_name,
      pageCount: page_count,
      excerpt: cutAtCharacter(text, keptCharacters),
    };
    const others = project.analyses.filter((each) => each.documentId !== id);
    project.analyses = [...others, analysis].slice(-maxAnalyses);
    return {
      documentId: id,
      documentName: document_name,
      pageCount: page_count,
      text: documentBlock(document_name, pages, readCharacters),
    };
  },
});

async function idOf(documents: ReadableDocuments, name: string | undefined): Promise<string> {
  if (name === undefined) {
    throw new DomainError('invalid', 'no_document', 'Give a documentId or a documentName.');
  }
  const found = await documents.find(name, 5);
  const exact = found.filter(({ document_name }) => document_name.toLowerCase() === name.toLowerCase());
  const [only, ...more] = exact.length > 0 ? exact : found;
  if (only === undefined) {
    throw new DomainError('not_found', 'document_not_found', `No document is called "${name}".`);
  }
  if (more.length === 0) return only.id;
  const choices = [only, ...more].map(({ id, document_name }) => `${document_name} (${id})`).join(', ');
  throw new DomainError(
    'conflict',
    'which_document',
    `Several documents have this name: ${choices}. Give the documentId.`,
  );
}
