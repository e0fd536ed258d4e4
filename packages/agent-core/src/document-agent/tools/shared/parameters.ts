import { machineMap } from '@docwright/contract';
import { z } from 'zod';
import { pageBegin } from '../../../tool/page-begin.ts';

/** `skip`, `cursor`, `limit` and `name_search` of every list tool. */
export const listParameters = {
  ...pageBegin,
  limit: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('The number of entries to return, at most 100. Default: 20.'),
  name_search: z.string().max(200).optional().describe('Returns only entries whose name contains this text.'),
};

/** The parameter for an id. `what` describes it: schemas and prompts have two kinds of ids. */
export function idParameter(what: string) {
  return z
    .string()
    .regex(/^[0-9a-fA-F]{24}$/u, 'An id has 24 hex digits.')
    .toLowerCase()
    .describe(what);
}

/** The reading options of a prompt. */
export const readingParameters = {
  evidence: z
    .boolean()
    .optional()
    .describe('Makes the model quote the words of each value. Use it where a text occurs in several places.'),
  second_read: z.boolean().optional().describe('Extracts twice and marks values that differ. Doubles the cost.'),
  machine_map: machineMap
    .optional()
    .describe(
      'The complete list of schema fields that get_machine_data has too: `field`, for example total or line_items[].amount, and `from`, for example invoice_xml.totals.grand_total or invoice_xml.lines[].net. Each extraction then says where the two agree or differ.',
    ),
};

export function tagIdsParameter(what: string) {
  return z.array(idParameter('A tag id.')).max(100).describe(what);
}
