import { createPipelineAgentProfile } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import { chooseChatModel, type LlmServices } from '../llm/index.ts';
import type { DocumentServices } from '../documents/index.ts';
import type { Actor, IdentityServices } from '../identity/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { createPipelineServices } from '../collections/index.ts';
import type { SourceService } from '../sources/index.ts';
import { createAgentPermissions } from './agent-permissions.ts';
import { createAgentConversationRepository } from './conversation-repository.ts';
import { createAgentConversationService, type ChooseModel } from './conversation-service.ts';
import { createConversationLeaseRepository } from './conversation-lease-repository.ts';
import { createOfferedPrompts } from './offered-prompt-repository.ts';
import { createAgentMessageService } from './message-service.ts';

export interface PipelineAgentNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  sources: (actor: Actor) => SourceService;
  pipelines: Pick<ReturnType<typeof createPipelineServices>, 'collections' | 'dryRun'>;
  artifacts: Pick<DocumentServices, 'documents'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  identity: Pick<IdentityServices, 'localeOf'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  settings: Pick<Settings, 'conversationTtlSeconds' | 'subagentTimeoutSeconds' | 'llm'>;
  logger: { error(fields: object, message: string): void };
}

const maxRounds = 20;
/** Time for the agent's own answers, besides that of sub-agents. */
const ownTimeMs = 5 * 60_000;

/** Composes conversations with the pipeline agent. */
export function createPipelineAgentServices(needs: PipelineAgentNeeds) {
  const { connection, sources, artifacts, models, llmFor, permissions, recordCallsOf, settings, identity } = needs;
  const { collections, dryRun } = needs.pipelines;
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
    documents: artifacts.documents,
    subAgentTimeoutMs,
    profile: createPipelineAgentProfile({ maxRounds, timeoutMs }),
    llmFor,
    permissionsFor: createAgentPermissions(permissions.decideFor),
    recordCallsOf,
    chooseModel,
    localeOf: identity.localeOf,
    log: needs.logger,
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
