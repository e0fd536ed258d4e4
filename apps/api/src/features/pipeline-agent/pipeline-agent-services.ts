import { createPipelineAgentProfile, type Locale } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { AuditServices } from '../audit/index.ts';
import { chooseChatModel, type LlmFor, type ModelService } from '../llm/index.ts';
import type { DocumentService } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { DecideForTurn } from '../permission-rules/index.ts';
import type { createPipelineServices } from '../collections/index.ts';
import type { SourceService } from '../sources/index.ts';
import { createAgentPermissions } from './agent-permissions.ts';
import { createAgentConversationRepository } from './conversation-repository.ts';
import { createAgentConversationService, type ChooseModel } from './conversation-service.ts';
import { createConversationLeaseRepository } from './conversation-lease-repository.ts';
import { createOfferedPrompts } from './offered-prompt-repository.ts';
import { createAgentMessageService } from './message-service.ts';

export interface PipelineAgentDependencies {
  connection: Connection;
  sources: (actor: Actor) => SourceService;
  pipelines: Pick<ReturnType<typeof createPipelineServices>, 'collections' | 'dryRun'>;
  documents: (actor: Actor) => DocumentService;
  models: (organizationId: string) => ModelService;
  llmFor: LlmFor;
  decideFor: DecideForTurn;
  recordCallsOf: AuditServices['recordCallsOf'];
  settings: {
    conversationTtlSeconds: number;
    subagentTimeoutSeconds: number;
    llm: { embeddingModel: string | undefined };
  };
  localeOf: (organizationId: string) => Promise<Locale>;
  log: { error(fields: object, message: string): void };
}

const maxRounds = 20;
/** Time for the agent's own answers, besides that of sub-agents. */
const ownTimeMs = 5 * 60_000;

/** Composes conversations with the pipeline agent. */
export function createPipelineAgentServices(dependencies: PipelineAgentDependencies) {
  const {
    connection,
    sources,
    pipelines,
    documents,
    models,
    llmFor,
    decideFor,
    recordCallsOf,
    settings,
    localeOf,
    log,
  } = dependencies;
  const { collections, dryRun } = pipelines;
  const subAgentTimeoutMs = settings.subagentTimeoutSeconds * 1000;
  const conversations = createAgentConversationRepository(connection, settings.conversationTtlSeconds * 1000);
  const chooseModel: ChooseModel = ({ organizationId }, requested, last) =>
    chooseChatModel(models(organizationId), requested, last);
  const timeoutMs = ownTimeMs + 2 * subAgentTimeoutMs;
  const leases = createConversationLeaseRepository(connection);
  const agentMessages = createAgentMessageService({
    conversations,
    leases,
    sources,
    collections,
    hasEmbeddings: settings.llm.embeddingModel !== undefined,
    offeredPrompts: createOfferedPrompts(connection),
    dryRun,
    documents,
    subAgentTimeoutMs,
    profile: createPipelineAgentProfile({ maxRounds, timeoutMs }),
    llmFor,
    permissionsFor: createAgentPermissions(decideFor),
    recordCallsOf,
    chooseModel,
    localeOf,
    log,
  });
  const agentConversations = createAgentConversationService({
    conversations,
    leases,
    sources,
    collections,
    chooseModel,
    stopAnswer: async (actor, id) => agentMessages.stopAnswer(actor, id),
  });
  return { agentConversations, agentMessages };
}
