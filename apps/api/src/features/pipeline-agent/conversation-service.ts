import {
  DomainError,
  type AgentConversation,
  type AppliedConversation,
  type ApplyConversationBody,
  type CreateAgentConversationBody,
  type ListedAgentConversation,
  type PageQuery,
} from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { CollectionService } from '../collections/index.ts';
import type { SourceService } from '../sources/index.ts';
import { isAnswered } from './answer-under-way.ts';
import type { AgentConversationRepository } from './conversation-repository.ts';
import { claimConversation } from './leased-conversation.ts';
import type { ConversationLeaseRepository } from './conversation-lease-repository.ts';

interface ConversationServiceDependencies {
  leases: ConversationLeaseRepository;
  conversations: AgentConversationRepository;
  sources: (actor: Actor) => Pick<SourceService, 'get'>;
  collections: (actor: Actor) => Pick<CollectionService, 'apply'>;
  chooseModel: ChooseModel;
  /** Ends the message that is being answered. Throws `not_running`. */
  stopAnswer: (actor: Actor, id: string) => Promise<void>;
}

/** The model that is asked for, else the last one. Throws `model_not_enabled` where it is not offered. */
export type ChooseModel = (actor: Actor, requested: string | undefined, last?: string) => Promise<string>;

/** One person's conversations with the pipeline agent. Another's is `conversation_not_found`, as one that is not there. */
export interface AgentConversationService {
  create(about: CreateAgentConversationBody): Promise<ListedAgentConversation>;
  get(id: string): Promise<AgentConversation>;
  list(
    page: PageQuery,
  ): Promise<{ conversations: ListedAgentConversation[]; total_count: number; skip: number; limit: number }>;
  /** `force` is the person's: it passes over uncertainties that block. */
  apply(id: string, body: ApplyConversationBody): Promise<AppliedConversation>;
  /** Ends the message that is being answered; what was built stays. `not_running` where there is none. */
  stop(id: string): Promise<AgentConversation>;
  /** Whatever is being answered ends with it. */
  abandon(id: string): Promise<AgentConversation>;
  resolve(id: string, uncertaintyId: string, resolvedBy: string): Promise<AgentConversation>;
}

export function createAgentConversationService(
  dependencies: ConversationServiceDependencies,
): (actor: Actor) => AgentConversationService {
  const { conversations, sources, collections, chooseModel, stopAnswer } = dependencies;
  return (actor) => {
    const own = async (id: string) => conversationOrThrow(await conversations.get(actor, id));
    async function get(id: string): Promise<AgentConversation> {
      // Claiming stores the orphaned answer; a faster process does the same.
      if ((await own(id)).isOrphaned)
        await claimConversation(dependencies, id).then(({ release }) => release(), ignoreRunning);
      const { isOrphaned: _, progress, ...conversation } = await own(id);
      const messages = await conversations.messages(id);
      const isOver = progress === null || isAnswered(messages, progress);
      return { ...conversation, progress: isOver ? null : progress, messages };
    }
    return {
      async create({ source_id, model }) {
        const { id } = await sources(actor).get(source_id);
        const chosen = model === undefined ? {} : { model: await chooseModel(actor, model) };
        return await conversations.create(actor, { source_id: id, ...chosen });
      },
      get,
      async list(page) {
        return { ...(await conversations.list(actor, page)), ...page };
      },
      async apply(id, { collection_name, force }) {
        await own(id);
        const { lease, release } = await claimConversation(dependencies, id);
        try {
          const conversation = await own(id);
          requireActive(conversation);
          const pipeline = requireApplicable(conversation, force);
          const { source_id } = conversation;
          // A process that died before it marked the conversation left its collection, which is found here.
          const application = { source_id, name: collection_name, pipeline, conversation_id: id };
          const { id: collection_id } = await collections(actor).apply(application);
          await conversations.change(lease, { status: 'applied', collection_id, question: null });
          return { collection_id, collection_name, status: 'indexing' };
        } finally {
          await release();
        }
      },
      async stop(id) {
        await stopAnswer(actor, id);
        return await get(id);
      },
      async abandon(id) {
        if ((await own(id)).is_running) await stopAnswer(actor, id).catch(ignoreRunning);
        const { lease, release } = await claimConversation(dependencies, id);
        try {
          const { status } = await own(id);
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
      async resolve(id, uncertaintyId, resolvedBy) {
        await own(id);
        if (await conversations.resolve(actor, id, uncertaintyId, resolvedBy)) return await get(id);
        throw new DomainError('not_found', 'uncertainty_not_found', 'The conversation has no such uncertainty.');
      },
    };
  };
}

/** It has ended, or somebody else has begun, since it was looked at. */
function ignoreRunning(error: unknown): void {
  if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
}

export function conversationOrThrow<Found>(conversation: Found | undefined): Found {
  if (conversation !== undefined) return conversation;
  throw new DomainError('not_found', 'conversation_not_found', 'There is no such conversation.');
}

export function requireActive({ status }: Pick<ListedAgentConversation, 'status'>): void {
  if (status === 'active') return;
  throw new DomainError('invalid', 'conversation_not_active', `The conversation is ${status}. Begin another one.`);
}

/** The pipeline that may be applied. Throws `no_pipeline`, and `blocking_uncertainty` unless that is passed over. */
export function requireApplicable(
  { current_pipeline, uncertainties }: Pick<ListedAgentConversation, 'current_pipeline' | 'uncertainties'>,
  force: boolean,
): NonNullable<ListedAgentConversation['current_pipeline']> {
  if (current_pipeline === null) {
    throw new DomainError('invalid', 'no_pipeline', 'No pipeline was built yet. Have one built first.');
  }
  const blocking = uncertainties.filter(({ severity, resolved }) => severity === 'blocking' && !resolved);
  if (blocking.length === 0 || force) return current_pipeline;
  const said = blocking.map(({ message }) => message).join(' ');
  throw new DomainError(
    'invalid',
    'blocking_uncertainty',
    `This has to be resolved first: ${said} The person can resolve it, or apply with force.`,
    { uncertainties: blocking },
  );
}
