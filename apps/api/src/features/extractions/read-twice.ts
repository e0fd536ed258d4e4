import { addUsage } from '@docwright/agent-core';
import type { Page } from '@docwright/documents';
import type { DocumentService } from '../documents/index.ts';
import { differingValues, reorderedFields } from '../value-risk/index.ts';
import { extractDocument } from './extract-document.ts';
import type { Survey } from './long/survey-document.ts';

/** Pages whose words are looked at for how sure their recognition was. */
const maxRecognised = 100;

/** The words of pages that were recognised; only there is a reading unsure. */
export async function recognisedPages(
  documents: Pick<DocumentService, 'pagesBetween'>,
  documentId: string,
  { pages }: Survey,
): Promise<Page[]> {
  const numbers = pages.filter(({ read_by }) => read_by === 'ocr').map(({ page_num }) => page_num);
  const found: Page[] = [];
  for (const number of numbers.slice(0, maxRecognised)) {
    found.push(...(await documents.pagesBetween(documentId, number, number)));
  }
  return found;
}

/**
 * Reads once, or twice where `secondModel` is given: the second time with the fields in another order, so that what the
 * order suggests differs. The first answer is the result; the usage is that of both.
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
    // Another model may not see pages.
    view: secondModel === setup.model ? setup.view : undefined,
  };
  const [one, other] = await Promise.all([extractDocument(setup, reading), extractDocument(second, again)]);
  const secondValues = await differingValues(one.result, other.result, responseFormat?.json_schema.schema);
  return { ...one, usage: addUsage(one.usage, other.usage), secondValues };
}
