import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { EventLog } from '../event-log/index.ts';
import { createExhaustedBudgets } from './exhausted-budget.ts';
import { createKeptDocuments } from './kept-documents-repository.ts';
import { createEmbeddingMeter } from './metered-embedding-client.ts';
import { createMeter } from './metered-llm-client.ts';
import { createThreadSpending } from './thread-spending.ts';
import { createUsageRepositories } from './usage-repository.ts';
import { usageRoutes } from './usage-routes.ts';
import { createUsageService, requireBudget } from './usage-service.ts';

/** Budgets and the usage of models. */
export const usageFeature = defineFeature({
  create({ connection, eventLog }: { connection: Connection; eventLog: EventLog }) {
    const usageOf = createUsageRepositories(connection);
    const refuseKept = createKeptDocuments(connection);
    const spending = createThreadSpending();
    const tellExhausted = createExhaustedBudgets(eventLog);
    return {
      usage: createUsageService({ usageOf }),
      meter: createMeter(usageOf, { spending, refuseKept, tellExhausted }),
      meterEmbeddings: createEmbeddingMeter(usageOf, refuseKept, tellExhausted),
      spending,
      refuseKept,
      /** Throws `budget_exhausted`. */
      requireBudget: (organizationId: string) =>
        requireBudget(usageOf(organizationId), new Date(), (exhausted) => tellExhausted(organizationId, exhausted)),
    };
  },
  routes: async (app, services) => app.register(usageRoutes, { services }),
});
