import { maxCounted } from '@docwright/contract';
import { z } from 'zod';

/** `skip` of every tool that lists. Lists count no further. */
export const skipParameter = z
  .number()
  .int()
  .min(0)
  .max(maxCounted)
  .default(0)
  .describe('The number of entries to skip, at most 10000. Default: 0.');
