import { describeOperations } from '../base/describe-operations.ts';
import { budgetChange, organizationUsage, storedBudget } from './budget.ts';

export const usageOperations = describeOperations('usage', {
  'GET /v0/orgs/:org_id/usage': {
    operationId: 'getUsage',
    summary: 'Get what the organization has used of its budget',
    description:
      "In service processing units (SPU): one for each started 1,000 tokens of input plus output, at least one for each model call; and in money, in millionths of `currency`, at the price of the operator's table when the call was made. A call whose model has no price counts in `unpriced_calls`, and no amount includes it. All figures are for the budget's period: the calendar month (UTC) or all time. `spu_balance` and `cost_balance_micros` are null without a limit. Each list but `by_day` has the 100 with the highest usage; `by_prompt` leaves out prompts that are pending review; `by_thread` and `by_user` have all users for admins, the caller for others. `stored_bytes` is what the organization stores now, with the trash; at `stored_bytes_limit`, writes that would store more answer `storage_limit_reached`, and removing stays possible.",
    response: { 200: organizationUsage },
  },
  'PUT /v0/orgs/:org_id/budget': {
    operationId: 'setBudget',
    summary: 'Set the budget',
    description:
      'Admins only. What is left out stays; null removes a limit. With a limit in money, calls of a model without a known price are refused (`model_without_price`). The budget is checked before every model call and charged after it. Nothing is reserved: concurrent calls can exceed the limit by their usage.',
    body: budgetChange.meta({ examples: [{ spu_limit: 10_000, cost_limit_micros: 50_000_000, period: 'month' }] }),
    errors: ['admin_required', 'version_conflict'],
    response: { 200: storedBudget },
  },
});
