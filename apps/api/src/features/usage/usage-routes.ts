import { budget, objectId, organizationUsage } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { UsageService } from './usage-service.ts';

const tags = ['usage'];
const params = z.object({ org_id: objectId });

export const usageRoutes: FastifyPluginAsyncZod<{ services: { usage: (actor: Actor) => UsageService } }> = async (
  app,
  { services: { usage: usageFor } },
) => {
  app.get(
    '/v0/orgs/:org_id/usage',
    {
      schema: {
        tags,
        operationId: 'getUsage',
        summary: 'Get what the organization has used of its budget',
        description:
          "In service processing units (SPU): one for each started 1,000 tokens of input plus output, at least one for each model call. All figures are for the budget's period: the calendar month (UTC) or all time. `spu_balance` is null without a limit. `by_thread` has the 100 threads with the highest usage: of all users for admins, the caller's own for others.",
        params,
        response: { 200: organizationUsage },
      },
    },
    async (request) => usageFor(request.actor).usage(),
  );

  app.put(
    '/v0/orgs/:org_id/budget',
    {
      schema: {
        tags,
        operationId: 'setBudget',
        summary: 'Set the budget',
        description:
          'Admins only. `spu_limit` null removes the limit. The budget is checked before every model call and charged after it. Nothing is reserved: concurrent calls can exceed the limit by their usage.',
        params,
        body: budget.meta({ examples: [{ spu_limit: 10_000, period: 'month' }] }),
        errors: ['admin_required'],
        response: { 200: budget },
      },
    },
    async (request) => usageFor(request.actor).setBudget(request.body),
  );
};
