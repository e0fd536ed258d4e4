import { maxCounted } from '@docwright/contract';
import { z } from 'zod';

/** Where a page of every tool that lists begins: `skip` counts as far as lists do, a cursor leads to any page. */
export const pageBegin = {
  skip: z
    .number()
    .int()
    .min(0)
    .max(maxCounted)
    .default(0)
    .describe('The number of entries to skip, at most 10000. Default: 0.'),
  cursor: z
    .string()
    .max(4_000)
    .optional()
    .describe('The next_cursor of the previous answer, to go on from there with the same filters and without skip.'),
};
