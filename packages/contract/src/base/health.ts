import { z } from 'zod';

export const healthAnswer = z.object({ status: z.literal('healthy') });
/** `missing` names the parts of the server that are not ready, for example `database`. */
export const readyAnswer = z.object({ status: z.enum(['ready', 'not_ready']), missing: z.array(z.string()) });
