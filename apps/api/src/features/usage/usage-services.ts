import type { Connection } from 'mongoose';
import type { Actor } from '../identity/actor.ts';
import { createEmbeddingMeter, type MeterEmbeddings } from './metered-embedding-client.ts';
import { createMeter, type MeterCalls } from './metered-llm-client.ts';
import { createThreadSpending, type ThreadSpending } from './thread-spending.ts';
import { createUsageRepositories } from './usage-repository.ts';
import { createUsageService, type UsageService } from './usage-service.ts';

export interface UsageServices {
  usage: (actor: Actor) => UsageService;
  meter: MeterCalls;
  meterEmbeddings: MeterEmbeddings;
  spending: ThreadSpending;
}

export function createUsageServices(connection: Connection): UsageServices {
  const usageOf = createUsageRepositories(connection);
  const spending = createThreadSpending();
  return {
    usage: createUsageService({ usageOf }),
    meter: createMeter(usageOf, { spending }),
    meterEmbeddings: createEmbeddingMeter(usageOf),
    spending,
  };
}
