import type {
  auditList,
  AuditUndoAnswer,
  AuditQuery,
  Budget,
  CreatePermissionRuleBody,
  llmModelList,
  LlmProvider,
  llmProviderList,
  OrganizationUsage,
  PermissionRule,
  permissionRuleList,
  PutLlmProviderBody,
  SimulationAnswer,
} from '@docwright/contract';
import type { z } from 'zod';
import { listAllOf } from '../client/every-page.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from './page-request.ts';

type ProviderList = z.infer<typeof llmProviderList>;
type AuditList = z.infer<typeof auditList>;
type RuleList = z.infer<typeof permissionRuleList>;

export function createModels(api: OrganizationApi) {
  const list = (query: { chat_only?: boolean } = {}, options?: CallOptions): Promise<z.infer<typeof llmModelList>> =>
    api.get(['llm', 'models'], { ...query }, options);
  return { list };
}

/** Model providers of the organization. The provider of the server's settings is called `default`. */
export function createProviders(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<ProviderList> =>
    api.get(['llm', 'providers'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ providers }) => providers),
    put: (name: string, body: PutLlmProviderBody, options?: CallOptions): Promise<LlmProvider> =>
      api.send('PUT', ['llm', 'providers', name], body, options),
    discover: (name: string, options?: CallOptions): Promise<LlmProvider> =>
      api.send('POST', ['llm', 'providers', name, 'discover'], undefined, { timeoutMs: modelTimeout, ...options }),
  };
}

export function createUsage(api: OrganizationApi) {
  return {
    get: (options?: CallOptions): Promise<OrganizationUsage> => api.get(['usage'], {}, options),
    setBudget: (budget: Budget, options?: CallOptions): Promise<Budget> => api.send('PUT', ['budget'], budget, options),
  };
}

/** Proposed, decided, executed and undone calls, the newest first. */
export function createAudit(api: OrganizationApi) {
  const list = (query: Partial<AuditQuery> = {}, options?: CallOptions): Promise<AuditList> =>
    api.get(['audit'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ entries }) => entries),
    /** Undoes a single write outside of a conversation; 409 when its target has changed since. */
    undo: (entryId: string, options?: CallOptions): Promise<AuditUndoAnswer> =>
      api.send('POST', ['audit', entryId, 'undo'], {}, options),
  };
}

export function createPermissionRules(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<RuleList> =>
    api.get(['permission_rules'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ permission_rules }) => permission_rules),
    create: (body: CreatePermissionRuleBody, options?: CallOptions): Promise<PermissionRule> =>
      api.send('POST', ['permission_rules'], body, options),
    delete: (ruleId: string, options?: CallOptions): Promise<void> => api.delete(['permission_rules', ruleId], options),
    /** Lists the past calls that the rule would have decided differently; writes nothing. */
    simulate: (body: CreatePermissionRuleBody, options?: CallOptions): Promise<SimulationAnswer> =>
      api.send('POST', ['permission_rules', 'simulate'], body, options),
  };
}
