import { collectionTools, documentAgentTools, pipelineAgentTools, taskAgentTools } from '@docwright/agent-core';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { AuditServices } from '../audit/index.ts';
import { permissionRuleRoutes } from './permission-rule-routes.ts';
import { createPermissionRuleServices } from './permission-rule-services.ts';

const toolNames = [documentAgentTools, taskAgentTools, pipelineAgentTools, collectionTools].flatMap(({ tools }) =>
  tools.map(({ name }) => name),
);

interface PermissionRuleNeeds {
  connection: Connection;
  auditOf: AuditServices['auditOf'];
  /** The measured evidence for a call. */
  evidence: Parameters<typeof createPermissionRuleServices>[0]['evidenceOf'];
}

/** Decides which calls run, which need approval, and which are denied. */
export const permissionRulesFeature = defineFeature({
  create: (needs: PermissionRuleNeeds) => ({
    permissions: createPermissionRuleServices({ ...needs, evidenceOf: needs.evidence, toolNames }),
  }),
  routes: async (app, { permissions }) => app.register(permissionRuleRoutes, { services: permissions }),
});
