import { addUsage } from '@docwright/agent-core';
import type { Page } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { differingValues, reorderedFields } from '../value-risk/index.ts';
import { extractDocument } from './extract-document.ts';
import type { Survey } from './long/survey-document.ts';

const maxRecognisedPages = 100;

/** Reads the recognised pages with their words, whose confidence is a risk signal. */
export async function readRecognisedPages(
  documents: Pick<DocumentService, 'pagesBetween'>,
  documentId: string,
  { pages }: Survey,
): Promise<Page[]> {
  const numbers = pages.filter(({ read_by }) => read_by === 'ocr').map(({ page_num }) => page_num);
  const found: Page[] = [];
  for (const number of numbers.slice(0, maxRecognisedPages)) {
    found.push(...(await documents.pagesBetween(documentId, number, number)));
  }
  return found;
}

/**
 * Extracts once, or twice if `secondModel` is given: the second time with the fields in another order, so that errors
 * caused by the order differ. The first answer is the result; `usage` is the sum of both.
 */
export async function readTwice(
  setup: Parameters<typeof extractDocument>[0],
  reading: Parameters<typeof extractDocument>[1],
  secondModel: string | undefined,
) {
  if (secondModel === undefined) return { ...(await extractDocument(setup, reading)), secondValues: undefined };
  const { responseFormat } = setup;
  const { stored: _stored, onProgress: _onProgress, ...again } = reading;
  const second = {
    ...setup,
    model: secondModel,
    responseFormat: responseFormat && reorderedFields(responseFormat),
    // The second model might have no vision.
    view: secondModel === setup.model ? setup.view : undefined,
  };
  const [first, reread] = await Promise.all([extractDocument(setup, reading), extractDocument(second, again)]);
  const secondValues = await differingValues(first.result, reread.result, responseFormat?.json_schema.schema);
  return { ...first, usage: addUsage(first.usage, reread.usage), secondValues };
}
