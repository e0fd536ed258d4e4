import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { ApprovalInbox } from '../approvals/approval-inbox.ts';
import type { AuditServices } from '../audit/audit-services.ts';
import type { ChatServices } from '../chat/chat-services.ts';
import type { createPipelineServices } from '../collections/pipeline-services.ts';
import type { DocumentServices } from '../documents/document-services.ts';
import type { Actor } from '../identity/actor.ts';
import type { PermissionRuleServices } from '../permission-rules/permission-rule-services.ts';
import type { StreamAdmission } from '../stream-admission/stream-admission.ts';
import { createTaskPermissions } from '../tasks/task-permissions.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { TurnAdmission } from '../turn-admission/turn-admission.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { createMcpServices } from './mcp-services.ts';

export interface McpNeeds {
  connection: Connection;
  appSecret: string;
  chat: ChatServices;
  inbox: (actor: Actor) => ApprovalInbox;
  artifacts: Pick<DocumentServices, 'documents'>;
  taskAgentServices: TaskServices['taskAgentServices'];
  pipelines: Pick<ReturnType<typeof createPipelineServices>, 'collections' | 'search'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** The agents' tools for clients of the Model Context Protocol. */
export const mcpFeature = defineFeature({
  create({ taskAgentServices, pipelines, permissions: { decideFor }, artifacts, ...needs }: McpNeeds) {
    const mcp = createMcpServices({
      ...needs,
      documents: artifacts.documents,
      tasks: { services: taskAgentServices, decideFor: createTaskPermissions(decideFor) },
      collections: (actor) => ({
        collections: { list: (page) => pipelines.collections(actor).list(page), search: pipelines.search(actor) },
      }),
      decideFor,
    });
    return { mcp };
  },
  routes: async (app, { mcp, admission, streams }) => app.register(mcpRoutes, { services: mcp, admission, streams }),
});
