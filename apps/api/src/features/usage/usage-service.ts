import { DomainError, type Budget, type OrganizationUsage } from '@docwright/contract';
import { requireAdmin, type Actor } from '../identity/index.ts';
import { monthOf, type UsageRepository } from './usage-repository.ts';

/** The budget and usage of an organization. */
export interface UsageService {
  /** Usage in the budget's period. Admins see all threads, others their own. */
  usage(): Promise<OrganizationUsage>;
  /** Admins only. */
  setBudget(budget: Budget): Promise<Budget>;
}

interface UsageServiceDependencies {
  usageOf: (organizationId: string) => UsageRepository;
  now?: () => Date;
}

export function createUsageService({
  usageOf,
  now = () => new Date(),
}: UsageServiceDependencies): (actor: Actor) => UsageService {
  return (actor) => {
    const usage = usageOf(actor.organizationId);
    return {
      async usage() {
        const { spu_limit, period } = await usage.budget();
        const month = period === 'month' ? monthOf(now()) : undefined;
        const [spu_used, breakdown] = await Promise.all([
          usage.used(month),
          usage.breakdown(month, actor.role === 'admin' ? undefined : actor.userId),
        ]);
        const spu_balance = spu_limit === null ? null : Math.max(0, spu_limit - spu_used);
        return { spu_balance, spu_used, spu_limit, period, ...breakdown };
      },
      async setBudget(budget) {
        requireAdmin(actor);
        await usage.setBudget(budget, actor.userId);
        return await usage.budget();
      },
    };
  };
}

/** A budget that is used up. */
export interface ExhaustedBudget {
  spu_used: number;
  spu_limit: number;
  period: Budget['period'];
  /** The month that a monthly budget is about. */
  month?: string;
}

/** Throws `budget_exhausted` if the organization has used its budget, after it was told. */
export async function requireBudget(
  usage: Pick<UsageRepository, 'budget' | 'used'>,
  now: Date,
  tell?: (exhausted: ExhaustedBudget) => Promise<void> | undefined,
): Promise<void> {
  const { spu_limit, period } = await usage.budget();
  if (spu_limit === null) return;
  const isMonthly = period === 'month';
  const used = await usage.used(isMonthly ? monthOf(now) : undefined);
  if (used < spu_limit) return;
  await tell?.({ spu_used: used, spu_limit, period, ...(isMonthly && { month: monthOf(now) }) });
  const when = isMonthly ? ' of this month' : '';
  const wait = isMonthly ? ', or wait until the next month starts' : '';
  throw new DomainError(
    'budget_exhausted',
    'budget_exhausted',
    `The organization has used ${used} of its ${spu_limit} SPU${when}. Ask an admin to raise the budget${wait}.`,
  );
}
