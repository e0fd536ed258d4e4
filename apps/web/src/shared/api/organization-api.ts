import { queryOptions } from '@tanstack/react-query';
import type { Budget, EvaluateBeforeApproval, OnAsk, Organization, OrganizationUsage } from '@docwright/contract';
import { requestJson } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}`;

export interface OrganizationChange {
  name?: string;
  /** Whether uploads that say nothing themselves are prepared automatically. */
  auto_create_default?: boolean;
  /** What becomes of a call that would have to ask while uploads are prepared. */
  auto_create_on_ask?: OnAsk;
  evaluate_before_approval?: EvaluateBeforeApproval;
  /** The most that one measurement uses which nobody started by hand. */
  evaluation_budget_spu?: number;
  /** Whether people reach it only after a sign-in with a second factor. */
  require_second_factor?: boolean;
}

export function changeOrganization(orgId: string, body: OrganizationChange): Promise<Organization> {
  return requestJson(path(orgId), { method: 'PATCH', body });
}

export const usageKey = (orgId: string) => ['usage', orgId];

export function usageQuery(orgId: string) {
  return queryOptions({
    queryKey: usageKey(orgId),
    queryFn: ({ signal }) => requestJson<OrganizationUsage>(`${path(orgId)}/usage`, { signal }),
  });
}

export function setBudget(orgId: string, body: Budget): Promise<Budget> {
  return requestJson(`${path(orgId)}/budget`, { method: 'PUT', body });
}
