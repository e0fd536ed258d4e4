import { queryOptions } from '@tanstack/react-query';
import type { Budget, Organization, OrganizationUsage } from '@docwright/contract';
import { requestJson } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}`;

export interface OrganizationChange {
  name?: string;
  /** Whether uploads that say nothing themselves are prepared automatically. */
  auto_create_default?: boolean;
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
