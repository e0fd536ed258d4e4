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
  StoredBudget,
} from '@docwright/contract';
import type { z } from 'zod';
import { listAllOf } from '../client/every-page.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

type ProviderList = z.infer<typeof llmProviderList>;
type AuditList = z.infer<typeof auditList>;
type RuleList = z.infer<typeof permissionRuleList>;

/** Models that the organization can use. */
export function createModels(api: OrganizationApi) {
  /** Lists the enabled models; with `chat_only`, those that can run the chat agent. */
  const list = (query: { chat_only?: boolean } = {}, options?: CallOptions): Promise<z.infer<typeof llmModelList>> =>
    api.get(['llm', 'models'], { ...query }, options);
  return { list };
}

/** Model providers of the organization. The provider of the server's settings is named `default`. Changes are for admins. */
export function createProviders(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<ProviderList> =>
    api.get(['llm', 'providers'], { ...query }, options);
  return {
    /** Lists a page of providers, with masked keys. */
    list,
    /** Yields all providers, with masked keys. */
    listAll: listAllOf(list, ({ providers }) => providers),
    /** Creates or changes a provider. Omitted fields do not change. */
    put: (name: string, body: PutLlmProviderBody, options?: CallOptions): Promise<LlmProvider> =>
      api.send('PUT', ['llm', 'providers', name], body, options),
    /** Asks the provider for its models, and stores their ids. */
    discover: (name: string, options?: CallOptions): Promise<LlmProvider> =>
      api.send('POST', ['llm', 'providers', name, 'discover'], undefined, { timeoutMs: modelTimeout, ...options }),
  };
}

/** Tokens and service processing units (SPU) that the organization has used. */
export function createUsage(api: OrganizationApi) {
  return {
    /** The usage and its cost by day, model, thread, user, prompt, document and run. */
    get: (options?: CallOptions): Promise<OrganizationUsage> => api.get(['usage'], {}, options),
    /** Sets the limits of the organization; null removes one. A limit in money that is not named stays. For admins. */
    setBudget: (budget: Budget, options?: CallOptions): Promise<StoredBudget> =>
      api.send('PUT', ['budget'], budget, options),
  };
}

/** The audit log: proposed, decided, executed and undone calls. */
export function createAudit(api: OrganizationApi) {
  const list = (query: Partial<AuditQuery> = {}, options?: CallOptions): Promise<AuditList> =>
    api.get(['audit'], { ...query }, options);
  return {
    /** Lists a page of entries, the newest first. */
    list,
    /** Yields all entries that match the query, the newest first. */
    listAll: listAllOf(list, ({ entries }) => entries),
    /**
     * Undoes a single write outside of a conversation.
     *
     * @throws DocwrightError with status 409 if its target has changed since
     */
    undo: (entryId: string, options?: CallOptions): Promise<AuditUndoAnswer> =>
      api.send('POST', ['audit', entryId, 'undo'], {}, options),
    /** The names of the tools that the entries have. */
    tools: (options?: CallOptions): Promise<{ tools: string[] }> => api.get(['audit', 'tools'], {}, options),
  };
}

/** Rules that allow, ask for or deny calls of the agents. */
export function createPermissionRules(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<RuleList> =>
    api.get(['permission_rules'], { ...query }, options);
  return {
    /** Lists a page of rules. */
    list,
    /** Yields all rules. */
    listAll: listAllOf(list, ({ permission_rules }) => permission_rules),
    /** Creates a rule. A rule for the whole organization is for admins. */
    create: (body: CreatePermissionRuleBody, options?: CallOptions): Promise<PermissionRule> =>
      api.send('POST', ['permission_rules'], body, options),
    /** Deletes a rule. */
    delete: (ruleId: string, options?: CallOptions): Promise<void> => api.delete(['permission_rules', ruleId], options),
    /** Lists the past calls that the rule would have decided differently; writes nothing. */
    simulate: (body: CreatePermissionRuleBody, options?: CallOptions): Promise<SimulationAnswer> =>
      api.send('POST', ['permission_rules', 'simulate'], body, options),
  };
}
