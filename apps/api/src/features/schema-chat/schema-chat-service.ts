import {
  createSchemaChatProfile,
  defaultDecide,
  historyOfCaller,
  newCallId,
  finishTurn,
  turnHeldByCaller,
  type LlmClient,
  type LlmMessage,
  type Locale,
  type NewTurn,
  type ResumedTurn,
  type SchemaChatServices,
  type SchemaProject,
  type TurnResult,
} from '@docwright/agent-core';
import {
  DomainError,
  schemaChatTools,
  type SchemaChatAnswer,
  type SchemaChatBody,
  type SchemaChatChatBody,
  type SchemaChatExecuteBody,
  type SchemaExecuteAnswer,
  type ToolDecision,
} from '@docwright/contract';
import type { DocumentService } from '../documents/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmAt, LlmFor, ModelService } from '../llm/index.ts';
import { emptyWorkingState } from '../threads/index.ts';
import { chooseDesignModel } from './choose-design-model.ts';
import { problemOfRegex } from './problem-of-regex.ts';
import { chatAnswerOf, executeAnswerOf } from './schema-chat-answers.ts';

interface SchemaChatDependencies {
  documents: (actor: Actor) => Pick<DocumentService, 'get' | 'list' | 'texts'>;
  models: (organizationId: string) => Pick<ModelService, 'resolveModel'>;
  llmFor: LlmFor;
  llmAt: LlmAt;
  localeOf: (organizationId: string) => Promise<Locale>;
  maxRounds: number;
}

/** The chat that designs columns. Stateless: the caller stores history and columns. */
export type SchemaChatService = ReturnType<typeof createSchemaChatService>;

/** The time limit of one request. */
const timeoutMs = 5 * 60_000;
/** Chats with many small decisions are long: each decision is a message. */
const maxMessages = 100;

export function createSchemaChatService(dependencies: SchemaChatDependencies) {
  const run = async (
    actor: Actor,
    project: SchemaProject,
    turn: NewTurn | ResumedTurn,
    llm: LlmClient,
    signal: AbortSignal,
  ): Promise<TurnResult> => {
    const services: SchemaChatServices = {
      project,
      documents: readable(dependencies.documents(actor)),
      problemOfPattern: problemOfRegex,
      locale: () => dependencies.localeOf(actor.organizationId),
    };
    const decide = defaultDecide({ role: actor.role, autoApprove: false, autoApprovedTools: [] });
    // Without further rounds, a decided turn ends after its calls.
    const maxRounds = 'pending' in turn ? 0 : dependencies.maxRounds;
    const result = await finishTurn({
      profile: createSchemaChatProfile({ maxRounds, timeoutMs }, project.featureFlags),
      llm,
      services,
      decide,
      // Nothing of the organization changes: the caller applies the results.
      recordCalls: async () => undefined,
      signal,
      turn,
    });
    if (result.status === 'failed') throw result.cause;
    if (result.status === 'stopped') throw stopped();
    return result;
  };

  return {
    /**
     * Runs the model until it has answered or calls are pending. Throws `no_message`, `image_refused`, `duplicate_column`,
     * the errors of `chooseDesignModel`, `stopped` after an abort, and failures of the model, also after a partial answer.
     */
    async chat(
      actor: Actor,
      { language, ...body }: SchemaChatChatBody & { language?: string },
      signal: AbortSignal,
    ): Promise<SchemaChatAnswer> {
      const project = projectOf(body, body.documentAnalyses);
      const messages = historyOfCaller(body.messages);
      if (!messages.some(isUserMessage)) {
        throw new DomainError('invalid', 'no_message', 'The messages contain no message of a user. Send one.');
      }
      const { llm, model } = await chooseDesignModel(dependencies, actor, body.settings);
      const turn: NewTurn = {
        ...emptyTurn(actor),
        settings: { model, mentions: [], autoApprove: false, autoApprovedTools: [], ...(language && { language }) },
        messages,
        maxMessages,
      };
      return chatAnswerOf(await run(actor, project, turn, llm, signal), project);
    },

    /** Runs decided calls on the columns, without a model. Throws `not_an_approval_tool`, `decided_twice`, `duplicate_column`. */
    async execute(actor: Actor, body: SchemaChatExecuteBody, signal: AbortSignal): Promise<SchemaExecuteAnswer> {
      const { toolDecisions } = body;
      checkDecisions(toolDecisions);
      const project = projectOf(body, []);
      const turn: ResumedTurn = {
        pending: turnHeldByCaller({
          ...emptyTurn(actor),
          calls: toolDecisions.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args })),
        }),
        approvals: toolDecisions.map(({ id, approved }) => ({ call_id: id, approved })),
        answers: [],
      };
      return executeAnswerOf(await run(actor, project, turn, noModel, signal), project, toolDecisions);
    },
  };
}

function isUserMessage(message: LlmMessage): boolean {
  return message.role === 'user' && (message.content.trim() !== '' || (message.images ?? []).length > 0);
}

function stopped(): DomainError {
  return new DomainError('not_ready', 'stopped', 'The request was stopped before it had an answer. Send it again.');
}

const noModel: LlmClient = {
  stream: () => {
    throw new Error('Decided calls ask no model.');
  },
};

function emptyTurn({ organizationId, userId }: Actor) {
  const turnId = newCallId();
  return {
    turnId,
    threadId: turnId,
    owner: { organizationId, documentId: '', userId },
    workingState: emptyWorkingState,
  };
}

function projectOf(body: SchemaChatBody, analyses: SchemaChatChatBody['documentAnalyses']): SchemaProject {
  const { currentColumns, currentTables, projectDescription, multiRowExtraction, featureFlags } = body;
  const all = [...currentColumns, ...currentTables.flatMap(({ columns }) => columns)];
  if (new Set(all.map(({ id }) => id)).size < all.length) {
    throw new DomainError('invalid', 'duplicate_column', 'Two of the current columns have the same id.');
  }
  if (new Set(currentTables.map(({ name }) => name)).size < currentTables.length) {
    throw new DomainError('invalid', 'duplicate_column', 'Two of the currentTables have the same name.');
  }
  return {
    columns: currentColumns,
    tables: currentTables,
    description: projectDescription,
    multiRow: multiRowExtraction,
    featureFlags,
    analyses,
  };
}

function checkDecisions(decisions: readonly ToolDecision[]): void {
  const allowed: readonly string[] = schemaChatTools.approval;
  const other = decisions.find(({ function: { name } }) => !allowed.includes(name));
  if (other) {
    throw new DomainError(
      'invalid',
      'not_an_approval_tool',
      `"${other.function.name}" needs no approval. Only these calls can be executed: ${allowed.join(', ')}.`,
    );
  }
  if (new Set(decisions.map(({ id }) => id)).size < decisions.length) {
    throw new DomainError('invalid', 'decided_twice', 'Two of the toolDecisions have the same id.');
  }
}

function readable(documents: ReturnType<SchemaChatDependencies['documents']>): SchemaChatServices['documents'] {
  return {
    get: (id) => documents.get(id),
    find: async (name_search, limit) => (await documents.list({ name_search, skip: 0, limit })).documents,
    text: (id) => documents.texts(id),
  };
}
