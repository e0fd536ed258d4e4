import { createTaskAgentProfile, type Decide } from '@docwright/agent-core';
import { DomainError } from '@docwright/contract';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { Connection } from 'mongoose';
import type { RecordCallsOf } from '../audit/index.ts';
import type { ChatServices } from '../chat/index.ts';
import type { DocumentService } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import { denyInsteadOfAsking, type DecideForTurn } from '../permission-rules/index.ts';
import type { RefuseKept } from '../usage/index.ts';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createMcpCallService, type McpCallDependencies } from './calls/mcp-call-service.ts';
import type { CallToDecide } from './calls/call-outcome.ts';
import { createCallPlaces } from './call-places.ts';
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
  refuseKept: RefuseKept;
}

export type McpServices = McpServerDependencies & {
  questionsOf: (credential: string, actor: Actor) => QuestionRepository;
  /** Creates the server of an exchange; replaced in tests. */
  makeServer: typeof createMcpServer;
};

/** Task tools call no model. */
const taskLimits = { maxRounds: 1, timeoutMs: 60_000 };

export function createMcpServices(dependencies: McpAreaDependencies): McpServices {
  const { connection, appSecret, chat, documents, tasks, collections, decideFor, recordCallsOf } = dependencies;
  const { inbox } = dependencies;
  /** Throws `never_to_model`. Nobody knows where the model of a client runs, so it does not count as local. */
  const refuseKept = async ({ organizationId }: Actor, documentIds: readonly string[]) =>
    dependencies.refuseKept(
      organizationId,
      () => documentIds,
      () => false,
    );
  const isKept = async (actor: Actor, documentIds: readonly string[]): Promise<boolean> => {
    try {
      await refuseKept(actor, documentIds);
      return false;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'never_to_model') return true;
      throw error;
    }
  };
  return {
    makeServer: createMcpServer,
    places: createCallPlaces(),
    inbox: (actor) => ({
      async list(query) {
        const found = await inbox(actor).list(query);
        const ids = [...new Set(found.approvals.map(({ document_id }) => document_id))];
        if (!(await isKept(actor, ids))) return found;
        const kept = new Set<string>();
        for (const id of ids) if (await isKept(actor, [id])) kept.add(id);
        return { ...found, approvals: found.approvals.filter(({ document_id }) => !kept.has(document_id)) };
      },
    }),
    ask: dependencies.ask,
    refuseKept: (actor, documentId) => refuseKept(actor, [documentId]),
    calls: createMcpCallService({
      chat,
      turns: chat.turns,
      async documentServices(actor, documentId) {
        if (documentId !== undefined) await refuseKept(actor, [documentId]);
        return await chat.servicesFor(actor, documentId);
      },
      tasks: { ...tasks, profile: createTaskAgentProfile(taskLimits) },
      collections: { services: collections, decideFor: createCollectionPermissions(decideFor) },
      async newestDocument(actor) {
        const { documents: newest } = await documents(actor).list({ skip: 0, limit: 20 });
        // The client can ask for the outcome of a call only where it may see the document.
        return (newest.find(({ never_to_model }) => never_to_model !== true) ?? newest[0])?.id;
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
