import { queryOptions } from '@tanstack/react-query';
import type { CreatePermissionRuleBody, PermissionRule, SimulationAnswer } from '@docwright/contract';
import { requestJson, send } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/permission_rules` as const;

export const permissionRulesKey = (orgId: string) => ['permission-rules', orgId];

export function permissionRulesQuery(orgId: string) {
  return queryOptions({
    queryKey: permissionRulesKey(orgId),
    queryFn: ({ signal }) => requestJson(path(orgId), { query: { limit: 100 }, signal }),
  });
}

export function addPermissionRule(orgId: string, body: CreatePermissionRuleBody): Promise<PermissionRule> {
  return requestJson(path(orgId), { method: 'POST', body });
}

/** Lists past calls that a rule would have decided differently; writes nothing. */
export function simulatePermissionRule(orgId: string, body: CreatePermissionRuleBody): Promise<SimulationAnswer> {
  return requestJson(`${path(orgId)}/simulate`, { method: 'POST', body });
}

export async function deletePermissionRule(orgId: string, ruleId: string): Promise<void> {
  await send(`${path(orgId)}/${ruleId}`, { method: 'DELETE' });
}
