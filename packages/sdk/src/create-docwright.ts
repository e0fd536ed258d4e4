import { createAgentConversations } from './areas/agent-conversations.ts';
import { createApprovals } from './areas/approvals.ts';
import { createAsk } from './areas/chat/ask.ts';
import { createBulk, createTrash } from './areas/bulk.ts';
import { createChat } from './areas/chat/chat.ts';
import { createCollections, createPlugins, createSources } from './areas/collections.ts';
import type { Conversation } from './areas/chat/conversation.ts';
import { createDocuments } from './areas/documents.ts';
import { createEvaluations } from './areas/evaluations.ts';
import { createEvents } from './areas/events.ts';
import { createExtractions } from './areas/extractions.ts';
import { createAutoCreate, createProposals, createRuns, createSchedules } from './areas/headless.ts';
import { createAccessTokens, createAuth, createMembers, createOrganizations } from './areas/identity.ts';
import { createPrompts, createSchemas, createTags } from './areas/library.ts';
import { createAudit, createModels, createPermissionRules, createProviders, createUsage } from './areas/operations.ts';
import { createRelease } from './areas/release.ts';
import { createResults } from './areas/results.ts';
import { createReview } from './areas/review.ts';
import { createRoutes } from './areas/routes.ts';
import { createSchemaChat } from './areas/schema-chat.ts';
import { createTasks } from './areas/tasks.ts';
import { createWebhooks } from './areas/webhooks.ts';
import { clientError } from './client/docwright-error.ts';
import { createHeaderApi, createOrganizationApi } from './client/organization-api.ts';
import { createOperations } from './client/operation.ts';
import { createTransport, type CallOptions, type Transport, type TransportOptions } from './client/transport.ts';

/** Options of `createDocwright`: the server, the token and the organization. */
export interface DocwrightOptions extends TransportOptions {
  /** Default: the token's organization, or the user's first one. */
  organizationId?: string | undefined;
}

/** A client of one server for one organization. Each property is an area of the API. */
export interface Docwright extends ReturnType<typeof createAreas> {
  /** The address of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** A client with the same token in another organization. */
  in(organizationId: string): Docwright;
}

/**
 * Creates a client of one server, for one organization. Every call takes an `AbortSignal` and a time limit in
 * milliseconds as its last argument. Request bodies and results have the types of the contract.
 *
 * @param options `baseUrl` is the server's address. `token` is an access token or the `access_token` of a sign-in; only
 * `auth` works without it.
 * @throws {DocwrightError} `invalid_base_url` for a malformed address. Every call throws `DocwrightError` with the
 * server's code, or one of `ClientErrorCode` when the server gave no answer.
 *
 * @example
 * ```ts
 * import { createDocwright } from '@docwright/sdk';
 *
 * const docwright = createDocwright({ baseUrl: 'http://127.0.0.1:3000', token: 'dw_…' });
 * const { documents } = await docwright.documents.list({ limit: 10 });
 * const turn = await docwright.conversation(documents[0]!.id).say('Extract the invoice number.');
 * console.log(turn.status);
 * ```
 */
export function createDocwright(options: DocwrightOptions): Docwright {
  return createClient(createTransport(options), options.organizationId);
}

function createClient(transport: Transport, organizationId: string | undefined): Docwright {
  return {
    baseUrl: transport.baseUrl,
    in: (otherOrganizationId) => createClient(transport, otherOrganizationId),
    ...createAreas(transport, organizationId),
  };
}

function createAreas(transport: Transport, givenOrganizationId: string | undefined) {
  const auth = createAuth(createOperations(transport, organizationId));
  let known: Promise<string> | undefined =
    givenOrganizationId === undefined ? undefined : Promise.resolve(givenOrganizationId);

  /** Cached after the first request; a failure is not cached. */
  function organizationId(options?: CallOptions): Promise<string> {
    known ??= firstOrganization(options).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function firstOrganization(options?: CallOptions): Promise<string> {
    const [first] = (await auth.me({ signal: options?.signal })).organizations;
    if (first === undefined)
      throw clientError('no_organization', 'You are a member of no organization. Ask an admin for an invitation.');
    return first.id;
  }

  const tasks = createTasks(transport, {
    userId: async (options) => (await auth.me({ signal: options?.signal })).user.id,
    organizationId,
  });
  const api = createOrganizationApi(transport, organizationId);
  const pipelineApi = createHeaderApi(transport, '/api/v2', organizationId);
  const chat = createChat(api);
  return {
    /** Returns the id of the organization that this client works in. */
    organizationId,
    auth,
    organizations: createOrganizations(api),
    members: createMembers(api),
    accessTokens: createAccessTokens(api),
    documents: createDocuments(api),
    bulk: createBulk(api),
    trash: createTrash(api),
    schemas: createSchemas(api),
    prompts: createPrompts(api),
    tags: createTags(api),
    routes: createRoutes(api),
    extractions: createExtractions(api),
    models: createModels(api),
    providers: createProviders(api),
    usage: createUsage(api),
    approvals: createApprovals(api),
    ask: createAsk(api),
    audit: createAudit(api),
    permissionRules: createPermissionRules(api),
    chat,
    schemaChat: createSchemaChat(transport, organizationId),
    autoCreate: createAutoCreate(api),
    proposals: createProposals(api),
    schedules: createSchedules(api),
    runs: createRuns(api),
    evaluations: createEvaluations(api),
    release: createRelease(api),
    results: createResults(api),
    events: createEvents(api),
    webhooks: createWebhooks(api),
    review: createReview(api),
    tasks,
    sources: createSources(pipelineApi),
    plugins: createPlugins(pipelineApi),
    collections: createCollections(pipelineApi),
    agentConversations: createAgentConversations(pipelineApi),
    /** A new conversation with the agent of a document, or the conversation of a thread. */
    conversation: (documentId: string, threadId?: string): Conversation => chat.conversation(documentId, threadId),
  };
}
