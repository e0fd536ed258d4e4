import {
  DomainError,
  type AgentConversation,
  type AppliedConversation,
  type ApplyConversationBody,
  type CreateAgentConversationBody,
  type ListedAgentConversation,
} from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { CollectionService } from '../collections/index.ts';
import type { SourceService } from '../sources/index.ts';
import { isAnswered } from './answer-recorder.ts';
import type { AgentConversationRepository } from './conversation-repository.ts';
import { claimConversation } from './leased-conversation.ts';
import type { ConversationLeaseRepository } from './conversation-lease-repository.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface ConversationServiceDependencies {
  leases: ConversationLeaseRepository;
  conversations: AgentConversationRepository;
  sources: (actor: Actor) => Pick<SourceService, 'get'>;
  collections: (actor: Actor) => Pick<CollectionService, 'apply'>;
  chooseModel: ChooseModel;
  /** Stops the answer in progress. Throws `not_running`. */
  stopAnswer: (actor: Actor, id: string) => Promise<void>;
}

/** The requested model, else the last one. Throws `model_not_enabled` if it is not available. */
export type ChooseModel = (actor: Actor, requested: string | undefined, last?: string) => Promise<string>;

/** A user's conversations with the pipeline agent. Another user's conversation is `conversation_not_found`. */
export type AgentConversationService = ReturnType<ReturnType<typeof createAgentConversationService>>;

export function createAgentConversationService(dependencies: ConversationServiceDependencies) {
  const { conversations, sources, collections, chooseModel, stopAnswer } = dependencies;
  return (actor: Actor) => {
    const getOrThrow = async (id: string) => conversationOrThrow(await conversations.get(actor, id));
    async function get(id: string): Promise<AgentConversation> {
      // Claiming stores the orphaned answer; if another process is faster, it does the same.
      if ((await getOrThrow(id)).isOrphaned)
        await claimConversation(dependencies, id).then(({ release }) => release(), ignoreConflict);
      const { isOrphaned: _, progress, ...conversation } = await getOrThrow(id);
      const messages = await conversations.messages(id);
      const isOver = progress === null || isAnswered(messages, progress);
      return { ...conversation, progress: isOver ? null : progress, messages };
    }
    return {
      async create({ source_id, model }: CreateAgentConversationBody): Promise<ListedAgentConversation> {
        const { id } = await sources(actor).get(source_id);
        const chosen = model === undefined ? {} : { model: await chooseModel(actor, model) };
        return await conversations.create(actor, { source_id: id, ...chosen });
      },
      get,
      async list(
        page: PageSelection,
      ): Promise<{ conversations: ListedAgentConversation[]; skip: number; limit: number } & PageEnd> {
        return { ...(await conversations.list(actor, page)), skip: page.skip, limit: page.limit };
      },
      /** `force`, which only users can set, overrides blocking uncertainties. */
      async apply(id: string, { collection_name, force }: ApplyConversationBody): Promise<AppliedConversation> {
        await getOrThrow(id);
        const { lease, release } = await claimConversation(dependencies, id);
        try {
          const conversation = await getOrThrow(id);
          requireActive(conversation);
          const pipeline = requireApplicable(conversation, force);
          const { source_id } = conversation;
          // Finds the collection of a process that died before it marked the conversation.
          const application = { source_id, name: collection_name, pipeline, conversation_id: id };
          const { id: collection_id } = await collections(actor).apply(application);
          await conversations.change(lease, { status: 'applied', collection_id, question: null });
          return { collection_id, collection_name, status: 'indexing' };
        } finally {
          await release();
        }
      },
      /** Stops the answer in progress and keeps the pipeline. Throws `not_running`. */
      async stop(id: string): Promise<AgentConversation> {
        await stopAnswer(actor, id);
        return await get(id);
      },
      /** Also stops an answer in progress. */
      async abandon(id: string): Promise<AgentConversation> {
        if ((await getOrThrow(id)).is_running) await stopAnswer(actor, id).catch(ignoreConflict);
        const { lease, release } = await claimConversation(dependencies, id);
        try {
          const { status } = await getOrThrow(id);
          if (status === 'applied') {
            throw new DomainError(
              'invalid',
              'conversation_not_active',
              'The pipeline of this conversation was applied.',
            );
          }
          await conversations.change(lease, { status: 'abandoned', question: null });
        } finally {
          await release();
        }
        return await get(id);
      },
      async resolve(id: string, uncertaintyId: string, resolvedBy: string): Promise<AgentConversation> {
        await getOrThrow(id);
        if (await conversations.resolve(actor, id, uncertaintyId, resolvedBy)) return await get(id);
        throw new DomainError(
          'not_found',
          'uncertainty_not_found',
          'The uncertainty does not exist in this conversation.',
        );
      },
    };
  };
}

/** Meanwhile the answer has ended, or another one has started. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
}

export function conversationOrThrow<Found>(conversation: Found | undefined): Found {
  if (conversation !== undefined) return conversation;
  throw new DomainError('not_found', 'conversation_not_found', 'The conversation does not exist.');
}

export function requireActive({ status }: Pick<ListedAgentConversation, 'status'>): void {
  if (status === 'active') return;
  throw new DomainError('invalid', 'conversation_not_active', `The conversation is ${status}. Start another one.`);
}

/** The pipeline to apply. Throws `no_pipeline`, and `blocking_uncertainty` unless forced. */
export function requireApplicable(
  { current_pipeline, uncertainties }: Pick<ListedAgentConversation, 'current_pipeline' | 'uncertainties'>,
  force: boolean,
): NonNullable<ListedAgentConversation['current_pipeline']> {
  if (current_pipeline === null) {
    throw new DomainError(
      'invalid',
      'no_pipeline',
      'The conversation has no pipeline yet. Ask the agent to build one first.',
    );
  }
  const blocking = uncertainties.filter(({ severity, resolved }) => severity === 'blocking' && !resolved);
  if (blocking.length === 0 || force) return current_pipeline;
  const questions = blocking.map(({ message }) => message).join(' ');
  throw new DomainError(
    'invalid',
    'blocking_uncertainty',
    `Resolve this first: ${questions} The user can resolve it, or apply with force.`,
    { uncertainties: blocking },
  );
}
