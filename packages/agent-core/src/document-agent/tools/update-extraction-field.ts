import { fieldPath } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { keptExtraction } from '../extraction-context.ts';
import type { DocumentAgentServices } from '../services.ts';
import { currentExtraction, lastSeenExtraction } from './current-extraction.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'extractions'>;

export const updateExtractionField = defineTool({
  name: 'update_extraction_field',
  description:
    'Corrects one value of the present extraction of this document. The path is dotted, with indexes for lists: line_items.0.amount. It changes this result only; to read a value differently from now on, change the schema or the prompt.',
  effect: 'read_write',
  parameters: z.object({
    path: fieldPath.describe('Dotted path of the value, for example seller.name or line_items.0.amount.'),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .describe('The new value, of the type the schema asks for.'),
  }),
  summarize: ({ path, value }) => `Set ${path} to ${JSON.stringify(value)}`,
  preview: async (context: ToolContext<Services>, { path, value }) => {
    const { result, grounding } = await currentExtraction(context);
    return {
      kind: 'field',
      path,
      old_value: valueAt(result, path) ?? null,
      new_value: value,
      page_num: grounding[path]?.page_num ?? null,
    };
  },
  execute: async (context: ToolContext<Services>, { path, value }) => {
    const { services, workingState, callId } = context;
    const present = await currentExtraction(context);
    const changed = await services.extractions.updateField(
      services.document.id,
      present.prompt_revid,
      { path, value, base_version: lastSeenExtraction(context)?.version ?? present.version },
      { call_id: callId },
    );
    workingState.update({ extraction: keptExtraction(changed), prompt_revid: changed.prompt_revid });
    const { prompt_revid, version, validation_errors } = changed;
    return { prompt_revid, version, path, value: valueAt(changed.result, path), validation_errors };
  },
});

function valueAt(result: unknown, path: string): unknown {
  let value = result;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
