import { DomainError, type BudgetChange, type OrganizationUsage, type StoredBudget } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import type { ModelPrices } from './model-prices.ts';
import type { UsageNames } from './usage-name-repository.ts';
import { monthOf, type UsageRepository } from './usage-repository.ts';

/** The budget and usage of an organization. */
export type UsageService = ReturnType<ReturnType<typeof createUsageService>>;

interface UsageServiceDependencies {
  usageOf: (organizationId: string) => UsageRepository;
  names: UsageNames;
  prices: ModelPrices;
  stored: (organizationId: string) => Promise<{ stored_bytes: number; stored_bytes_limit: number | null }>;
  now?: () => Date;
}

export function createUsageService(dependencies: UsageServiceDependencies) {
  const { usageOf, names, prices, stored, now = () => new Date() } = dependencies;
  return (actor: Actor) => {
    const { organizationId } = actor;
    const usage = usageOf(organizationId);

    async function breakdown(month: string | undefined) {
      const isAdmin = actor.role === 'admin';
      const [by_day, models, threads, users, prompts, documents, runs] = await Promise.all([
        usage.byDay(month),
        usage.most('model', month),
        usage.most('thread', month, isAdmin ? undefined : actor.userId),
        usage.most('user', month),
        usage.most('prompt', month),
        usage.most('document', month),
        usage.most('run', month),
      ]);
      const seenUsers = isAdmin ? users : users.filter(({ key }) => key === actor.userId);
      const keysOf = (sums: readonly { key: string }[]) => sums.map(({ key }) => key);
      const [userNames, { names: promptNames, pending }, documentNames] = await Promise.all([
        names.users(keysOf(seenUsers)),
        names.prompts(organizationId, keysOf(prompts)),
        names.documents(organizationId, keysOf(documents)),
      ]);
      return {
        by_day,
        by_model: models.map(({ key, ...spent }) => ({ model: key, price: prices.of(key) ?? null, ...spent })),
        by_thread: threads.map(({ key, ...spent }) => ({ thread_id: key, ...spent })),
        by_user: seenUsers.map(({ key, ...spent }) => ({ user_id: key, name: userNames.get(key) ?? null, ...spent })),
        by_prompt: prompts
          .filter(({ key }) => !pending.has(key))
          .map(({ key, ...spent }) => ({ prompt_id: key, name: promptNames.get(key) ?? null, ...spent })),
        by_document: documents.map(({ key, ...spent }) => ({
          document_id: key,
          name: documentNames.get(key) ?? null,
          ...spent,
        })),
        by_run: runs.map(({ key, ...spent }) => ({ run_id: key, ...spent })),
      };
    }

    return {
      /** Usage in the budget's period. Admins see all threads and users, others their own. */
      async usage(): Promise<OrganizationUsage> {
        const { spu_limit, cost_limit_micros, currency, period } = await usage.budget();
        const month = period === 'month' ? monthOf(now()) : undefined;
        const [used, lists, storage] = await Promise.all([usage.used(month), breakdown(month), stored(organizationId)]);
        const left = (limit: number | null, spent: number) => (limit === null ? null : Math.max(0, limit - spent));
        return {
          spu_balance: left(spu_limit, used.spu),
          spu_used: used.spu,
          spu_limit,
          currency,
          cost_balance_micros: left(cost_limit_micros, used.costMicros),
          cost_used_micros: used.costMicros,
          cost_limit_micros,
          unpriced_calls: lists.by_day.reduce((sum, { unpriced_calls }) => sum + unpriced_calls, 0),
          period,
          ...storage,
          ...lists,
        };
      },
      /** Admins only. */
      async setBudget(change: BudgetChange): Promise<StoredBudget> {
        requireAdmin(actor);
        await usage.setBudget(change, actor.userId);
        return await usage.budget();
      },
    };
  };
}

/** A budget that is used up: its limit in SPU or, if `currency` is present, the one in money. */
export interface ExhaustedBudget {
  spu_used: number;
  spu_limit: number | null;
  cost_used_micros?: number;
  cost_limit_micros?: number;
  currency?: string;
  period: StoredBudget['period'];
  /** The month that a monthly budget is about. */
  month?: string;
}

/**
 * Throws `budget_exhausted` if the organization has used its budget, after reporting it, and `model_without_price` if
 * the budget is in money and the call could not be counted.
 *
 * @param unpriced The model of the call, if it has no price.
 */
export async function requireBudget(
  usage: Pick<UsageRepository, 'budget' | 'used'>,
  now: Date,
  tell?: (exhausted: ExhaustedBudget) => Promise<void> | undefined,
  unpriced?: string,
): Promise<void> {
  const { spu_limit, cost_limit_micros, currency, period } = await usage.budget();
  if (spu_limit === null && cost_limit_micros === null) return;
  const isMonthly = period === 'month';
  const used = await usage.used(isMonthly ? monthOf(now) : undefined);
  const isUsedUp = spu_limit !== null && used.spu >= spu_limit;
  const isMoneyUsedUp = cost_limit_micros !== null && used.costMicros >= cost_limit_micros;
  if (!isUsedUp && !isMoneyUsedUp) {
    if (cost_limit_micros !== null && unpriced !== undefined) throw withoutPrice(unpriced, currency);
    return;
  }
  const money = isMoneyUsedUp && { cost_used_micros: used.costMicros, cost_limit_micros, currency };
  const month = isMonthly && { month: monthOf(now) };
  await tell?.({ spu_used: used.spu, spu_limit, ...money, period, ...month });
  const amounts = isUsedUp
    ? `${used.spu} of its ${spu_limit} SPU`
    : `${amount(used.costMicros)} of its ${amount(cost_limit_micros ?? 0)} ${currency}`;
  const when = isMonthly ? ' of this month' : '';
  const wait = isMonthly ? ', or wait until the next month starts' : '';
  throw new DomainError(
    'budget_exhausted',
    'budget_exhausted',
    `The organization has used ${amounts}${when}. Ask an admin to raise the budget${wait}.`,
  );
}

/** With two digits after the point, and up to six if they matter. */
const amount = (micros: number): string => (micros / 1_000_000).toFixed(6).replace(/0{1,4}$/u, '');

const withoutPrice = (model: string, currency: string): DomainError =>
  new DomainError(
    'budget_exhausted',
    'model_without_price',
    `The organization has a budget in ${currency}, and the price of ${model} is not known. Ask the operator to add it to MODEL_PRICES, choose another model, or ask an admin to limit SPU instead of money.`,
  );
