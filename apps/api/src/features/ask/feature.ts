import { createAskProfile, nothingShown, type AskServices } from '@docwright/agent-core';
import { DomainError, type AskScope, type Run } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { decisionRoutes, turnRoutes, type ChatServices } from '../chat/index.ts';
import type { DocumentServices } from '../documents/index.ts';
import { requireWriter, type Actor, type IdentityServices } from '../identity/index.ts';
import type { PromptService } from '../prompts/index.ts';
import type { EstimateBulk } from '../document-bulk/index.ts';
import type { RunService } from '../runs/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { threadRoutes } from '../threads/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { FindSimilar } from '../collections/index.ts';
import type { IndexUpdates, ResultIndexRepository, SavedViews } from '../results/index.ts';
import { createHeldScopes } from './held-scopes.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createAskResults } from './ask-results.ts';
import { createAskRows } from './ask-rows.ts';
import { createScopeCheck } from './scope-repository.ts';
import { createAskRepositories, type AskRepository } from './ask-repository.ts';
import { maxPagesRanked } from './scope-passages-repository.ts';
import { askConversations, askPlace, askRoutes } from './ask-routes.ts';

interface AskNeeds {
  connection: Connection;
  chat: ChatServices;
  identity: Pick<IdentityServices, 'localeOf'>;
  artifacts: Pick<DocumentServices, 'documents'> & { prompts: (actor: Actor) => PromptService };
  resultIndex: ResultIndexRepository;
  indexUpdates: Pick<IndexUpdates, 'catchUp'>;
  savedViews: (actor: Actor) => Pick<SavedViews, 'list' | 'save'>;
  runs: (actor: Actor) => RunService;
  pipelines: { findSimilar: (actor: Actor) => FindSimilar };
  bulk: { estimateBulk: (actor: Actor) => EstimateBulk };
  settings: Pick<Settings, 'agentMaxRounds'>;
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** The time limit of one question. */
const turnTimeoutMs = 5 * 60_000;

/**
 * The largest scope takes about 60 MB, and 20 more while it is read: 600 bytes for a document. A character of a result
 * takes 4, and none while the process keeps it for all questions: to give up the scope would free nothing.
 */
const charactersPerDocument = 150;
const heldScopes = {
  inAll: 2,
  ofOrganization: 1,
  sizeOf: (scope: AskRepository) => scope.documents.length + scope.characters() / charactersPerDocument,
  maxUnused: 100_000,
};
type HeldAskScopes = ReturnType<typeof createHeldScopes<AskRepository>>;

/** Questions over many documents: the loop, turns and threads of the chat, with tools and a check of their own. */
export const askFeature = defineFeature({
  create({
    connection,
    chat,
    identity,
    artifacts,
    resultIndex,
    indexUpdates,
    savedViews,
    runs,
    pipelines,
    bulk,
    settings,
  }: AskNeeds) {
    const repositoryOf = createAskRepositories(connection, createAskResults(resultIndex, indexUpdates));
    const scopes = createHeldScopes(heldScopes);
    const checkScope = createScopeCheck(connection);
    const servicesFor = (
      actor: Actor,
      { scope = {}, locale }: { scope?: AskScope | undefined; locale?: string | undefined },
    ) => {
      const findSimilar = pipelines.findSimilar(actor);
      return askServicesOf(
        scopes(actor.organizationId, JSON.stringify(scope), () => repositoryOf(actor.organizationId, scope)),
        (query) => findSimilar(query, scope.collection_id, maxPagesRanked),
        artifacts.prompts(actor),
        {
          locale,
          organizationLocale: () => identity.localeOf(actor.organizationId),
          runs: askRunsOf(actor, runs(actor), bulk.estimateBulk(actor)),
          views: {
            list: async (promptId) => (await savedViews(actor).list(promptId)).views,
            async save(promptId, view) {
              requireWriter(actor);
              return await savedViews(actor).save(promptId, view);
            },
          },
        },
      );
    };
    chat.addAgent<AskServices>(askPlace, {
      profile: createAskProfile({ maxRounds: settings.agentMaxRounds, timeoutMs: turnTimeoutMs }),
      servicesFor,
    });
    /** Asks a question outside of a conversation. */
    const askDocuments = async (
      actor: Actor,
      { question, scope }: { question: string; scope?: AskScope | undefined },
    ) => {
      await checkScope(actor.organizationId, scope);
      return await chat.chat.start(actor, askPlace, {
        messages: [{ role: 'user', content: question }],
        stream: false,
        auto_approve: false,
        auto_approved_tools: [],
        ask: { ...(scope && { scope }) },
      });
    };
    return {
      askDocuments,
      checkScope,
      askRows: createAskRows(async (actor) => chat.threads(actor, askPlace), servicesFor),
    };
  },
  async routes(app, { chat: services, askRows: rows, checkScope, admission, streams }) {
    const area = askConversations;
    await app.register(askRoutes, { services: { ...services, rows, checkScope }, admission, streams });
    await app.register(decisionRoutes, { area, services, admission, streams });
    await app.register(turnRoutes, { area, services, streams });
    await app.register(threadRoutes, { area, services });
  },
});

function askRunsOf(actor: Actor, runs: RunService, estimateBulk: EstimateBulk): AskServices['runs'] {
  const present = ({ id, total }: Run) => ({ run_id: id, documents: total });
  return {
    async estimate(prompt_id, document_ids) {
      const { by_prompt } = await estimateBulk({ document_ids: [...document_ids], prompt_id });
      const [{ name, requests, spu_estimated } = { name: '', requests: 0, spu_estimated: 0 }] = by_prompt;
      return { name, requests, spu: spu_estimated };
    },
    async start(prompt_id, document_ids, { call_id }) {
      const run = await runs.start({
        id: call_id,
        schedule_id: null,
        trigger: 'direct',
        action: 'run_extraction',
        filter: null,
        named_ids: [...document_ids],
        max_documents: null,
        prompt_id,
        message: null,
        auto_approved_tools: [],
        requested_by: actor.userId,
        role: actor.role,
        due_at: null,
      });
      return { run_id: run.id, documents: document_ids.length };
    },
    async startedBy(call_id) {
      return await runs.get(call_id).then(present, (error: unknown) => {
        if (error instanceof DomainError && error.code === 'run_not_found') return undefined;
        throw error;
      });
    },
  };
}

/** The services of one turn. What it has read is kept while it uses it, so that its answers and their check see the same. */
function askServicesOf(
  { hold, get: repository }: ReturnType<HeldAskScopes>,
  similarTo: (query: string) => ReturnType<FindSimilar>,
  prompts: Pick<PromptService, 'getCurrent'>,
  others: Pick<AskServices, 'views' | 'runs' | 'locale' | 'organizationLocale'>,
): AskServices {
  const named = createKeptAnswers(async () => {
    const ids = await (await repository()).promptIds();
    return Promise.all(ids.map(async (prompt_id) => ({ prompt_id, name: (await prompts.getCurrent(prompt_id)).name })));
  });
  return {
    size: async () => (await repository()).size(),
    documents: async () => (await repository()).documents,
    prompts: async () => named(),
    results: async (promptId) => (await repository()).results(promptId),
    places: async (promptId, documentIds) => (await repository()).places(promptId, documentIds),
    async search(query, limit, signal) {
      // Before the scope is held: the endpoint of an organization can be slow, and few scopes are held at once.
      const similar = await similarTo(query);
      return await hold(async () => (await repository()).search(query, limit, similar), signal);
    },
    pages: async (documentId, from, to) => (await repository()).pages(documentId, from, to),
    hold,
    ...others,
    shown: nothingShown(),
  };
}
