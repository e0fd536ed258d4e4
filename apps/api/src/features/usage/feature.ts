import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createPermits } from '../../platform/permits/permits.ts';
import { createPermitSlots } from '../../platform/permits/permit-slot-repository.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { EventLog } from '../event-log/index.ts';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import { createExhaustedBudgets } from './exhausted-budget.ts';
import { createKeptDocuments, type KeepingSources } from './kept-documents-repository.ts';
import { createEmbeddingMeter } from './metered-embedding-client.ts';
import { createMeter } from './metered-llm-client.ts';
import { readModelPrices } from './model-prices.ts';
import { createThreadSpending } from './thread-spending.ts';
import { createUsageNames } from './usage-name-repository.ts';
import { createUsageRepositories } from './usage-repository.ts';
import { storageRoom, usageRoutes } from './usage-routes.ts';
import { createUsageService, requireBudget } from './usage-service.ts';
import { limitUnattended, limitUnattendedEmbeddings } from './unattended-calls.ts';

interface UsageNeeds {
  connection: Connection;
  eventLog: EventLog;
  storageLimit: StorageLimit;
  settings: Pick<Settings, 'modelPrices' | 'maxUnattendedModelCalls'>;
  workerProcesses?: () => number;
}

/** Budgets and the usage of models. */
export const usageFeature = defineFeature({
  create({ connection, eventLog, storageLimit, settings, workerProcesses = () => 1 }: UsageNeeds) {
    const { modelPrices, maxUnattendedModelCalls } = settings;
    const slots = createPermitSlots(connection, 'unattended_model_calls', maxUnattendedModelCalls);
    const modelPermits = createPermits(slots, workerProcesses);
    const prices = readModelPrices(modelPrices);
    const usageOf = createUsageRepositories(connection, prices.currency);
    const keepingSources: KeepingSources[] = [];
    const refuseKept = createKeptDocuments(connection, keepingSources);
    const spending = createThreadSpending();
    const tellExhausted = createExhaustedBudgets(eventLog);
    return {
      usage: createUsageService({
        usageOf,
        names: createUsageNames(connection),
        prices,
        stored: async (organizationId) => ({
          stored_bytes: await storageLimit.stored(organizationId),
          stored_bytes_limit: storageLimit.maxBytes ?? null,
        }),
      }),
      storageLimit,
      meter: limitUnattended(createMeter(usageOf, prices, { spending, refuseKept, tellExhausted }), modelPermits),
      meterEmbeddings: limitUnattendedEmbeddings(
        createEmbeddingMeter(usageOf, prices, refuseKept, tellExhausted),
        modelPermits,
      ),
      modelPermits,
      spending,
      refuseKept,
      /** The feature of sources, which depends on this one, adds the lookup of its keeping sources. */
      keepingSources,
      /** Throws `budget_exhausted`. */
      requireBudget: (organizationId: string) =>
        requireBudget(usageOf(organizationId), new Date(), (exhausted) => tellExhausted(organizationId, exhausted)),
    };
  },
  async routes(app, services) {
    // Of the routes that are registered from here on.
    await app.register(storageRoom, services);
    await app.register(usageRoutes, { services });
  },
  stop: async ({ modelPermits }) => modelPermits.stop(),
});
