import { z } from 'zod';
import { describeOperations } from './describe-operations.ts';

export const healthAnswer = z.object({ status: z.literal('healthy') });
/** `missing` names the parts of the server that are not ready, for example `database`. */
export const readyAnswer = z.object({ status: z.enum(['ready', 'not_ready']), missing: z.array(z.string()) });

export const healthOperations = describeOperations('operations', {
  'GET /health': {
    operationId: 'getHealth',
    summary: 'Whether the process is alive',
    response: { 200: healthAnswer },
  },
  'GET /ready': {
    operationId: 'getReadiness',
    summary: 'Whether the server is ready',
    description: '`missing` lists the parts that are down; meanwhile routes below /v0 and /api answer 503.',
    response: { 200: readyAnswer, 503: readyAnswer },
  },
});
