import type { FastifyBaseLogger } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { AuditServices } from '../audit/index.ts';
import type { DocumentServices } from '../documents/index.ts';
import type { IdentityServices } from '../identity/index.ts';
import type { LlmServices } from '../llm/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { pipelineAgentRoutes } from './pipeline-agent-routes.ts';
import { createPipelineAgentServices, type PipelineAgentDependencies } from './pipeline-agent-services.ts';

interface PipelineAgentNeeds extends Pick<LlmServices, 'models' | 'llmFor'> {
  connection: Connection;
  sources: PipelineAgentDependencies['sources'];
  pipelines: PipelineAgentDependencies['pipelines'];
  artifacts: Pick<DocumentServices, 'documents'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  identity: Pick<IdentityServices, 'localeOf'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  settings: Settings;
  logger: FastifyBaseLogger;
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Conversations in which an agent builds a pipeline. */
export const pipelineAgentFeature = defineFeature({
  create({ artifacts, permissions, identity, logger, ...needs }: PipelineAgentNeeds) {
    const { documents } = artifacts;
    return createPipelineAgentServices({
      ...needs,
      documents,
      decideFor: permissions.decideFor,
      localeOf: identity.localeOf,
      log: logger,
    });
  },
  routes: async (app, { admission, streams, ...services }) =>
    app.register(pipelineAgentRoutes, { services, admission, streams }),
  stop: async ({ agentMessages }) => agentMessages.stop(),
});
