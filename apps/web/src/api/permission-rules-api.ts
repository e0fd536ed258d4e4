import { queryOptions } from '@tanstack/react-query';
import type { permissionRuleList } from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from './http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/permission_rules`;

export const permissionRulesKey = (orgId: string) => ['permission_rules', orgId];

/** The organization's rules and one's own, the newest first. */
export function permissionRulesQuery(orgId: string) {
  return queryOptions({
    queryKey: permissionRulesKey(orgId),
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof permissionRuleList>>(path(orgId) + queryString({ limit: 100 }), { signal }),
  });
}

export async function deletePermissionRule(orgId: string, ruleId: string): Promise<void> {
  await send(`${path(orgId)}/${ruleId}`, { method: 'DELETE' });
}
