import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError, fieldPath, withExactNumbers, type Extraction } from '@docwright/contract';
import { z } from 'zod';
import { valueAt } from '../../../plans/slots.ts';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { extractionContent, extractionForModel, extractionForState } from '../../context/extraction-context.ts';
import { boundedResult, partOfResult } from '../../context/bounded-result.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter } from '../shared/parameters.ts';

const extractionReference = z.object({ document_id: z.string(), prompt_revid: z.string(), version: z.number() });

/** The extraction in the working state, if it belongs to this document. */
export function lastSeenExtraction(
  context: ToolContext<Pick<DocumentAgentServices, 'document'>>,
): z.infer<typeof extractionReference> | undefined {
  const kept = extractionReference.safeParse(context.workingState.get().extraction);
  return kept.success && kept.data.document_id === context.services.document.id ? kept.data : undefined;
}

/**
 * The extraction for a call: of the given prompt revision, otherwise of the last one used, otherwise the document's newest.
 * Throws a DomainError of kind `not_found` if there is none.
 */
export async function currentExtraction(
  context: ToolContext<Pick<DocumentAgentServices, 'document' | 'extractions'>>,
  prompt_revid?: string,
): Promise<Extraction> {
  const { document, extractions } = context.services;
  const found = await extractions.latest(document.id, prompt_revid ?? lastSeenExtraction(context)?.prompt_revid);
  if (found) return found;
  throw new DomainError(
    'not_found',
    'extraction_not_found',
    prompt_revid === undefined
      ? 'This document has no extraction yet. run_extraction makes one.'
      : 'This document has no extraction of that prompt revision. run_extraction with it makes one.',
  );
}

export const getExtractionResult = defineTool({
  name: 'get_extraction_result',
  description:
    'Reads the current extraction of this document, in the form that run_extraction returns. With path, returns one value in full, or the entries of a list from index `from` to index `to`.',
  effect: 'read',
  documentContent: extractionContent,
  worksOnDocument: true,
  parameters: z.object({
    prompt_revid: idParameter('The prompt revision of the result. Leave out for the one last worked with.').optional(),
    path: fieldPath.describe('The path of a list or value, for example line_items or seller.name.').optional(),
    from: z.number().int().min(0).describe('The index of the first entry to return, counted from 0.').optional(),
    to: z.number().int().min(0).describe('The index of the last entry to return.').optional(),
  }),
  summarize: () => 'Read the extraction',
  execute: async (context: ToolContext<Pick<DocumentAgentServices, 'document' | 'extractions'>>, args) => {
    const { prompt_revid, path, from, to } = args;
    const extraction = await currentExtraction(context, prompt_revid);
    const current = context.workingState.get().prompt_revid;
    context.workingState.update({ extraction: extractionForState(extraction), prompt_revid: extraction.prompt_revid });
    // A result can have 100,000 values: others use the process as well.
    await nextTurn();
    if (path !== undefined) return partOfResult(valueIn(withExactNumbers(extraction), path), path, from, to);
    return boundedResult(await extractionForModel(extraction, current === null || current === extraction.prompt_revid));
  },
});

/** The value at a path. Throws `unknown_path` if the result has none. */
function valueIn(result: unknown, path: string): unknown {
  const value = valueAt(result, path.split('.'));
  if (value !== undefined) return value;
  throw new DomainError('not_found', 'unknown_path', `The result has nothing at the path "${path}".`);
}
