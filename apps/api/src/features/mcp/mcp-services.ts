import { createTaskAgentProfile, type Decide } from '@docwright/agent-core';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { Connection } from 'mongoose';
import type { RecordCallsOf } from '../audit/index.ts';
import type { ChatServices } from '../chat/index.ts';
import type { DocumentService } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import { denyInsteadOfAsking, type DecideForTurn } from '../permission-rules/index.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createMcpCallService, type McpCallDependencies } from './mcp-call-service.ts';
import type { CallToDecide } from './call-outcome.ts';
import { createMcpServer, type McpServerDependencies } from './mcp-server.ts';
import { createQuestionRepositories, type QuestionRepository } from './question-repository.ts';

interface McpAreaDependencies {
  connection: Connection;
  appSecret: string;
  chat: ChatServices;
  inbox: McpServerDependencies['inbox'];
  ask: McpServerDependencies['ask'];
  documents: (actor: Actor) => DocumentService;
  tasks: Omit<McpCallDependencies['tasks'], 'profile'>;
  collections: McpCallDependencies['collections']['services'];
  decideFor: DecideForTurn;
  recordCallsOf: RecordCallsOf;
}

export type McpServices = McpServerDependencies & {
  questionsOf: (credential: string) => QuestionRepository;
  /** Creates the server of an exchange; replaced in tests. */
  makeServer: typeof createMcpServer;
};

/** Task tools call no model. */
const taskLimits = { maxRounds: 1, timeoutMs: 60_000 };

export function createMcpServices(dependencies: McpAreaDependencies): McpServices {
  const { connection, appSecret, chat, documents, tasks, collections, decideFor, recordCallsOf } = dependencies;
  return {
    makeServer: createMcpServer,
    inbox: dependencies.inbox,
    ask: dependencies.ask,
    calls: createMcpCallService({
      chat,
      turns: chat.turns,
      documentServices: chat.servicesFor,
      tasks: { ...tasks, profile: createTaskAgentProfile(taskLimits) },
      collections: { services: collections, decideFor: createCollectionPermissions(decideFor) },
      async newestDocument(actor) {
        const { documents: newest } = await documents(actor).list({ skip: 0, limit: 1 });
        return newest[0]?.id;
      },
      decideFor,
      recordCallsOf,
    }),
    waitingCalls: createRequestStateCodec<CallToDecide>({ key: deriveKey(appSecret, 'mcp'), ttlSeconds: 24 * 60 * 60 }),
    questionsOf: createQuestionRepositories(connection),
  };
}

/**
 * Decides calls on collections: deny rules hold, and calls that a rule would ask for are denied, since no page could
 * show them.
 */
function createCollectionPermissions(decideFor: DecideForTurn): (actor: Actor) => Decide {
  return (actor) => {
    const unasked = { autoApprove: false, autoApprovedTools: [] };
    return denyInsteadOfAsking(decideFor(actor, { threadId: '', documentId: '', ...unasked }), cannotAskMessage);
  };
}

const cannotAskMessage =
  'This call is not permitted here: a permission rule requires approval, which is not possible for collections. Tell them to search on the page of the collection themselves.';
