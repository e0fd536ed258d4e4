import type { Connection } from 'mongoose';
import { markedList } from '../../platform/database/marked-cursors.ts';
import { defineFeature } from '../../platform/feature.ts';
import type { ApprovalInbox } from '../approvals/index.ts';
import type { AuditServices } from '../audit/index.ts';
import type { ChatServices } from '../chat/index.ts';
import type { createPipelineServices } from '../collections/index.ts';
import type { DocumentServices } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PermissionRuleServices } from '../permission-rules/index.ts';
import type { ResultService } from '../results/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { createTaskPermissions, type TaskServices } from '../tasks/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { RefuseKept } from '../usage/index.ts';
import type { StartAsk } from './calls/ask-documents.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { createMcpServices } from './mcp-services.ts';

interface McpNeeds {
  connection: Connection;
  appSecret: string;
  chat: ChatServices;
  askDocuments: StartAsk;
  inbox: (actor: Actor) => ApprovalInbox;
  artifacts: Pick<DocumentServices, 'documents'>;
  taskAgentServices: TaskServices['taskAgentServices'];
  results: (actor: Actor, reader: 'model') => Pick<ResultService, 'query' | 'summary'>;
  pipelines: Pick<ReturnType<typeof createPipelineServices>, 'collections' | 'search'>;
  permissions: Pick<PermissionRuleServices, 'decideFor'>;
  recordCallsOf: AuditServices['recordCallsOf'];
  admission: TurnAdmission;
  streams: StreamAdmission;
  refuseKept: RefuseKept;
}

/** The agents' tools for clients of the Model Context Protocol. */
export const mcpFeature = defineFeature({
  create({
    taskAgentServices,
    pipelines,
    results,
    askDocuments: ask,
    permissions: { decideFor },
    artifacts,
    ...needs
  }: McpNeeds) {
    const mcp = createMcpServices({
      ...needs,
      ask,
      documents: artifacts.documents,
      tasks: { services: taskAgentServices, decideFor: createTaskPermissions(decideFor) },
      collections: (actor) => ({
        collections: {
          list: markedList('list_collections', (page: { skip: number; limit: number; cursor?: string | undefined }) =>
            pipelines.collections(actor).list(page),
          ),
          search: pipelines.search(actor),
        },
        results: results(actor, 'model'),
      }),
      decideFor,
    });
    return { mcp };
  },
  routes: async (app, { mcp, admission, streams }) => app.register(mcpRoutes, { services: mcp, admission, streams }),
});
