import { createApprovals } from './areas/approvals.ts';
import { createAgentConversations } from './areas/agent-conversations.ts';
import { createBulk, createTrash } from './areas/bulk.ts';
import { createChat } from './areas/chat.ts';
import { createCollections, createPlugins, createSources } from './areas/collections.ts';
import { createDocuments } from './areas/documents.ts';
import { createExtractions } from './areas/extractions.ts';
import { createEvaluations } from './areas/evaluations.ts';
import { createAutoCreate, createRuns, createSchedules } from './areas/headless.ts';
import { createAccessTokens, createAuth, createMembers, createOrganizations } from './areas/identity.ts';
import { createPrompts, createSchemas, createTags } from './areas/library.ts';
import { createSchemaChat } from './areas/schema-chat.ts';
import { createAudit, createModels, createPermissionRules, createProviders, createUsage } from './areas/operations.ts';
import { createTasks } from './areas/tasks.ts';
import { clientError } from './client/docwright-error.ts';
import { createHeaderApi, createOrganizationApi } from './client/organization-api.ts';
import { createTransport, type CallOptions, type Transport, type TransportOptions } from './client/transport.ts';
import type { Conversation } from './turns/conversation.ts';

export interface DocwrightOptions extends TransportOptions {
  /** Left out: the token's organization, or the one that the person has belonged to for longest. */
  organizationId?: string | undefined;
}

export interface Docwright extends ReturnType<typeof createAreas> {
  readonly baseUrl: string;
  /** The same client in another organization. */
  in(organizationId: string): Docwright;
}

/**
 * A client of one server, for one organization. Every call takes an `AbortSignal` and a time limit as its last argument and
 * throws `DocwrightError`; bodies and answers are the contract's own types, in its spelling.
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

function createAreas(transport: Transport, given: string | undefined) {
  const auth = createAuth(transport);
  let known: Promise<string> | undefined = given === undefined ? undefined : Promise.resolve(given);

  /** Asked for once; a failure is not kept. */
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
      throw clientError('no_organization', 'You belong to no organization. Ask for an invitation.');
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
    /** The id of the organization that this client works in. */
    organizationId,
    auth,
    organizations: createOrganizations(transport, api),
    members: createMembers(api),
    accessTokens: createAccessTokens(api),
    documents: createDocuments(api),
    bulk: createBulk(api),
    trash: createTrash(api),
    schemas: createSchemas(api),
    prompts: createPrompts(api),
    tags: createTags(api),
    extractions: createExtractions(api),
    models: createModels(api),
    providers: createProviders(api),
    usage: createUsage(api),
    approvals: createApprovals(api),
    audit: createAudit(api),
    permissionRules: createPermissionRules(api),
    chat,
    schemaChat: createSchemaChat(transport, organizationId),
    autoCreate: createAutoCreate(api),
    schedules: createSchedules(api),
    runs: createRuns(api),
    evaluations: createEvaluations(api),
    tasks,
    sources: createSources(pipelineApi),
    plugins: createPlugins(pipelineApi),
    collections: createCollections(pipelineApi),
    agentConversations: createAgentConversations(pipelineApi),
    /** A conversation with the agent of a document: new, or the one of a thread. */
    conversation: (documentId: string, threadId?: string): Conversation => chat.conversation(documentId, threadId),
  };
}
