import { listAllOf } from '../client/every-page.ts';
import { modelTimeout, type OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** Models that the organization can use. */
export function createModels(api: OrganizationApi) {
  /** Lists the enabled models; with `chat_only`, those that can run the chat agent. */
  const list = api.operation('GET /v0/orgs/:org_id/llm/models', 'query');
  return { list };
}

/** Model providers of the organization. The provider of the server's settings is named `default`. Changes are for admins. */
export function createProviders(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/llm/providers', 'query');
  return {
    /** Lists a page of providers, with masked keys. */
    list,
    /** Yields all providers, with masked keys. */
    listAll: listAllOf(list, ({ providers }) => providers),
    /** Creates or changes a provider. Omitted fields do not change. */
    put: api.operation('PUT /v0/orgs/:org_id/llm/providers/:name', 'body'),
    /** Asks the provider for its models, and stores their ids. */
    discover: api.operation('POST /v0/orgs/:org_id/llm/providers/:name/discover', undefined, {
      timeoutMs: modelTimeout,
    }),
  };
}

/** Tokens and service processing units (SPU) that the organization has used. */
export function createUsage(api: OrganizationApi) {
  return {
    /** The usage and its cost by day, model, thread, user, prompt, document and run. */
    get: api.operation('GET /v0/orgs/:org_id/usage'),
    /** Sets the limits of the organization; null removes one. A limit in money that is not named stays. For admins. */
    setBudget: api.operation('PUT /v0/orgs/:org_id/budget', 'body'),
  };
}

/** The audit log: proposed, decided, executed and undone calls. */
export function createAudit(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/audit', 'query');
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
    undo: (entryId: string, options?: CallOptions) =>
      api.operation('POST /v0/orgs/:org_id/audit/:entry_id/undo', 'body')(entryId, {}, options),
    /** The names of the tools that the entries have. */
    tools: api.operation('GET /v0/orgs/:org_id/audit/tools'),
  };
}

/** Rules that allow, ask for or deny calls of the agents. */
export function createPermissionRules(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/permission_rules', 'query');
  return {
    /** Lists a page of rules. */
    list,
    /** Yields all rules. */
    listAll: listAllOf(list, ({ permission_rules }) => permission_rules),
    /** Creates a rule. A rule for the whole organization is for admins. */
    create: api.operation('POST /v0/orgs/:org_id/permission_rules', 'body'),
    /** Deletes a rule. */
    delete: api.operation('DELETE /v0/orgs/:org_id/permission_rules/:rule_id'),
    /** Lists the past calls that the rule would have decided differently; writes nothing. */
    simulate: api.operation('POST /v0/orgs/:org_id/permission_rules/simulate', 'body'),
  };
}
