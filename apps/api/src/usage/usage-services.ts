import type { Connection } from 'mongoose';
import type { Actor } from '../identity/actor.ts';
import { createMeter, type MeterCalls } from './metered-llm-client.ts';
import { createUsageRepositories } from './usage-repository.ts';
import { createUsageService, type UsageService } from './usage-service.ts';

export interface UsageServices {
  usage: (actor: Actor) => UsageService;
  meter: MeterCalls;
}

export function createUsageServices(connection: Connection): UsageServices {
  const usageOf = createUsageRepositories(connection);
  return { usage: createUsageService({ usageOf }), meter: createMeter(usageOf) };
}
