import { isDeepStrictEqual } from 'node:util';
import { DomainError, type Collection, type CollectionChanges, type Pipeline } from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import { checkPipeline } from '../pipelines/index.ts';
import type { ChunkRepository } from './chunks/chunk-repository.ts';
import type { EntryState } from './collection-model.ts';
import type { CollectionRepository } from './collection-repository.ts';
import { idBytes } from './entry-sum-repository.ts';
import { createMembersOfSources } from './members-of-source.ts';
import { type SourceRepository, sourceOrThrow, requireNotTooLarge, requireUsableCount } from '../sources/index.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';

interface CollectionServiceDependencies {
  collectionsOf: (organizationId: string) => CollectionRepository;
  sourcesOf: (organizationId: string) => SourceRepository;
  chunksOf: (organizationId: string) => Pick<ChunkRepository, 'drop' | 'forget'>;
  promptExists: (organizationId: string, promptRevid: string) => Promise<boolean>;
  /** Undefined if none is configured. */
  embeddingModel: string | undefined;
  wakeIndexing: () => Promise<void>;
}

interface Application {
  source_id: string;
  name: string;
  /** Unchecked input of a user or a model. */
  pipeline: unknown;
  /** The conversation in which the pipeline was built. */
  conversation_id?: string;
}

/** The collections that a user can access in one organization. Throws `collection_not_found` for a missing id. */
export type CollectionService = ReturnType<ReturnType<typeof createCollectionService>>;

const maxIndexing = 10;

export function createCollectionService(dependencies: CollectionServiceDependencies) {
  const { collectionsOf, sourcesOf, chunksOf, promptExists, embeddingModel, wakeIndexing } = dependencies;
  const membersOfSource = createMembersOfSources();
  return (actor: Actor) => {
    const collections = collectionsOf(actor.organizationId);
    const sources = sourcesOf(actor.organizationId);
    const chunks = chunksOf(actor.organizationId);
    const get = async (id: string): Promise<Collection> => collectionOrThrow(await collections.get(id));

    async function changesOf(id: string): Promise<CollectionChanges> {
      const { source, ids, changed, embeddings } = collectionOrThrow(await collections.contents(id));
      const members = await membersOfSource(id, ids, sources, source);
      const remaining = (state: EntryState) => members.remaining.get(state) ?? 0;
      const [indexed, failed] = [remaining('indexed'), remaining('failed')];
      const hasOtherModel = embeddings && embeddingModel !== undefined && embeddings.model !== embeddingModel;
      const entries = ids.reduce((sum, own) => sum + own.ids.length() / idBytes, 0);
      return {
        added: members.inSource - indexed - failed,
        removed: entries - members.ids.size,
        changed: hasOtherModel ? indexed : changed.filter((document) => members.ids.has(document)).length,
        failed,
      };
    }

    async function remove(id: string): Promise<boolean> {
      if (!(await collections.remove(id))) return false;
      await chunks.drop(id);
      await chunks.forget(id);
      return true;
    }

    function requireEmbeddings({ embedder }: Pipeline): void {
      if (embedder !== null && embeddingModel === undefined) throw noEmbeddings();
    }

    async function check(given: unknown): Promise<Pipeline> {
      const pipeline = checkPipeline(given);
      requireEmbeddings(pipeline);
      if (pipeline.extract === undefined) return pipeline;
      if (await promptExists(actor.organizationId, pipeline.extract.prompt_revid)) return pipeline;
      throw new DomainError(
        'invalid',
        'unknown_reference',
        'There is no such prompt revision. Use a prompt_revid from the list of prompts.',
      );
    }

    return {
      /** Returns the pipeline with its defaults as `apply` would use it. Throws if its config, embedder or prompt is invalid. */
      check,
      /** Includes the changes that an update would make, unless the collection is being indexed. */
      async get(id: string): Promise<Collection> {
        const found = await get(id);
        return found.status === 'indexing' ? found : { ...found, changes: await changesOf(id) };
      },
      async list(page: PageSelection): Promise<{ collections: Collection[]; skip: number; limit: number } & PageEnd> {
        return { ...(await collections.list(page)), skip: page.skip, limit: page.limit };
      },
      /**
       * Creates a collection from a source, which workers then index. Each conversation has one collection: a repeated
       * application returns it, and a different one replaces it.
       */
      async apply({ source_id, name, pipeline: given, conversation_id }: Application): Promise<Collection> {
        requireWriter(actor);
        const source = sourceOrThrow(await sources.get(source_id));
        const pipeline = await check(given);
        requireUsableCount(await sources.count(source));
        const ofConversation = conversation_id === undefined ? {} : { conversation_id };
        const toCreate = { name, source, pipeline, ...ofConversation, created_by: actor.userId, role: actor.role };
        for (;;) {
          const earlier = conversation_id === undefined ? undefined : await collections.ofConversation(conversation_id);
          if (earlier?.name === name && isDeepStrictEqual(earlier.pipeline, pipeline)) return earlier;
          if (earlier) await remove(earlier.id);
          if ((await collections.countIndexing()) >= maxIndexing) throw tooMany();
          const collection = await collections.create(toCreate);
          // Another request has just created one in the same conversation: checks again.
          if (!collection) continue;
          await wakeIndexing();
          return collection;
        }
      },
      /**
       * Indexes documents that are new in the source, removes those that left it, and retries failed ones. Throws
       * `collection_indexing` while it is being indexed.
       */
      async update(id: string): Promise<Collection> {
        requireWriter(actor);
        const { status, pipeline } = await get(id);
        if (status === 'indexing') throw alreadyIndexing();
        requireEmbeddings(pipeline);
        const { source } = collectionOrThrow(await collections.contents(id));
        requireNotTooLarge(await sources.count(source));
        if ((await collections.countIndexing()) >= maxIndexing) throw tooMany();
        if (!(await collections.update(id, actor))) throw alreadyIndexing();
        await wakeIndexing();
        return await get(id);
      },
      /** Stops indexing. Indexed documents can be searched. Throws `not_indexing` if indexing has ended. */
      async stop(id: string): Promise<Collection> {
        requireWriter(actor);
        if (await collections.stop(id)) return await get(id);
        const { status } = await get(id);
        throw new DomainError('conflict', 'not_indexing', `The collection is ${status}, so there is nothing to stop.`);
      },
      async delete(id: string): Promise<void> {
        requireWriter(actor);
        if (!(await remove(id))) throw noCollection();
      },
    };
  };
}

/** Throws `collection_not_found` if the collection is undefined. */
export function collectionOrThrow<Found>(collection: Found | undefined): Found {
  if (collection === undefined) throw noCollection();
  return collection;
}

function noCollection(): DomainError {
  return new DomainError('not_found', 'collection_not_found', 'There is no such collection.');
}

function alreadyIndexing(): DomainError {
  return new DomainError(
    'conflict',
    'collection_indexing',
    'The collection is already being indexed. Wait until it is done, or stop it.',
  );
}

function noEmbeddings(): DomainError {
  return new DomainError(
    'invalid',
    'embeddings_not_configured',
    'No embeddings model is configured. Set LLM_EMBEDDING_MODEL, or give the pipeline the embedder null.',
  );
}

function tooMany(): DomainError {
  return new DomainError(
    'rate_limited',
    'too_many_collections',
    `${maxIndexing} collections are being indexed already. Wait until one is done, or stop one.`,
  );
}
