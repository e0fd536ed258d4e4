import { queryOptions } from '@tanstack/react-query';
import type {
  BudgetChange,
  EvaluateBeforeApproval,
  OnAsk,
  OnDuplicate,
  Organization,
  StoredBudget,
} from '@docwright/contract';
import { requestJson } from '../../http/http.ts';
import { asSeen, type SeenState } from '../../http/seen-state.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}` as const;

export interface OrganizationChange {
  name?: string;
  /** Default for uploads that do not set `auto_create`. */
  auto_create_default?: boolean;
  /** How automatic preparation handles a call that needs approval. */
  auto_create_on_ask?: OnAsk;
  on_duplicate?: OnDuplicate;
  evaluate_before_approval?: EvaluateBeforeApproval;
  /** Maximum cost of one automatic evaluation. */
  evaluation_budget_spu?: number;
  /** An agent's measurement of more documents needs approval. */
  evaluation_ask_above?: number;
  /** For requests that name none. Null: UTC. */
  time_zone?: string | null;
  /** The language of answers, as a BCP 47 tag. */
  language?: string | null;
  /** Whether members need a second factor to sign in. */
  require_second_factor?: boolean;
  /** Null keeps conversations for ever. */
  keep_conversations_days?: number | null;
}

/** @param seen what the user has seen of the organization, if a form sends the change */
export async function changeOrganization(
  orgId: string,
  body: OrganizationChange,
  seen?: SeenState<object>,
): Promise<Organization> {
  if (seen === undefined) return await requestJson(path(orgId), { method: 'PATCH', body });
  const now = await requestJson(path(orgId), {});
  seen.check(body, now);
  return await requestJson(path(orgId), { method: 'PATCH', body: asSeen(body, now) });
}

export const usageKey = (orgId: string) => ['usage', orgId];

export function usageQuery(orgId: string) {
  return queryOptions({
    queryKey: usageKey(orgId),
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/usage`, { signal }),
  });
}

/** @param seen the limits that the user has seen */
export async function setBudget(orgId: string, body: BudgetChange, seen: SeenState<object>): Promise<StoredBudget> {
  const now = await requestJson(`${path(orgId)}/usage`, {});
  seen.check(body, now);
  return await requestJson(`${path(orgId)}/budget`, { method: 'PUT', body: asSeen(body, now) });
}
