import { createHash } from 'node:crypto';
import type { EventLog } from '../event-log/index.ts';
import type { ExhaustedBudget } from './usage-service.ts';

/** Puts into the event log that a budget is used up: once for each limit and period. */
export type TellExhausted = (organizationId: string, exhausted: ExhaustedBudget) => Promise<void>;

/** The number of reported budgets to remember, so that not every refused call reads the log. */
const maxRemembered = 10_000;

export function createExhaustedBudgets(eventLog: Pick<EventLog, 'append'>): TellExhausted {
  const told = new Set<string>();
  return async (organizationId, { cost_used_micros, cost_limit_micros, currency, ...exhausted }) => {
    const { spu_limit, period, month } = exhausted;
    const money = currency !== undefined && { cost_used_micros, cost_limit_micros, currency };
    // Every process makes the same id, and the log takes an id once.
    const ofMoney = money ? [cost_limit_micros, currency] : [];
    const key = JSON.stringify([organizationId, spu_limit, period, month ?? null, ...ofMoney]);
    if (told.has(key)) return;
    const id = `evt_${createHash('sha256').update(`budget ${key}`).digest('hex').slice(0, 32)}`;
    const data = { ...exhausted, ...money };
    await eventLog.append(organizationId, [{ id, type: 'budget.exhausted', at: new Date(), data }]);
    if (told.size >= maxRemembered) told.clear();
    told.add(key);
  };
}
