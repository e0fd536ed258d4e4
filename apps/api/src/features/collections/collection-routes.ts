import { collection, collectionList, objectId, pipelineListQuery, searchAnswer, searchBody } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { CollectionService } from './collection-service.ts';
import type { SearchService } from './search-service.ts';

const tags = ['collections'];
const path = '/api/v2/collections';
const collectionPath = z.object({ collection_id: objectId });

interface Services {
  collections: (actor: Actor) => CollectionService;
  search: (actor: Actor) => SearchService;
}

/** What applied pipelines have made. */
export const collectionRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (
  app,
  { services: { collections, search } },
) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listCollections',
        summary: 'List collections, the newest first',
        description: 'Of the organization that `X-Org-Id` names.',
        querystring: pipelineListQuery,
        response: { 200: collectionList },
      },
    },
    async (request) => collections(request.actor).list(request.query),
  );

  app.get(
    `${path}/:collection_id`,
    {
      schema: {
        tags,
        operationId: 'getCollection',
        summary: 'Get a collection with its progress',
        description:
          '`indexing` until each document of the source is `indexed` or `failed`; then `ready`, or `failed` where none could be indexed. Documents whose text is still being read wait. `failures` counts why documents failed, with three examples each. The documents are those that the source held when indexing began; once it has ended, `changes` counts what `…/update` would take up.',
        params: collectionPath,
        errors: ['collection_not_found'],
        response: { 200: collection },
      },
    },
    async (request) => collections(request.actor).get(request.params.collection_id),
  );

  app.post(
    `${path}/:collection_id/search`,
    {
      schema: {
        tags,
        operationId: 'searchCollection',
        summary: 'Search a collection',
        description:
          'Words are alternatives, the more of them and the rarer the better; `"a phrase"` must be there, `-word` may not. Words are found in all their forms, as the language of each chunk has them (Danish, Dutch, English, Finnish, French, German, Hungarian, Italian, Norwegian, Portuguese, Romanian, Russian, Spanish, Swedish, Turkish; other languages as written); case and accents do not count, and words that every text has, such as `the`, count in phrases alone. Where the collection has vectors, what is meant is found as well, and both are fused by reciprocal rank (`mode: "hybrid"`). Each hit has its place: the page and the range of characters of its text, as `…/documents/{id}/text` gives it, in PDFs and pictures a box for each line as well (`boxes`), and the words in its text that were meant (`matches`). A collection can be searched while it is being indexed; a deleted document is not found from the moment of its deletion.',
        params: collectionPath,
        body: searchBody.meta({ examples: [{ query: '"notice period" lease -draft', top_k: 5 }] }),
        errors: ['collection_not_found'],
        response: { 200: searchAnswer },
      },
    },
    async (request) => search(request.actor)(request.params.collection_id, request.body),
  );

  app.post(
    `${path}/:collection_id/update`,
    {
      schema: {
        tags,
        operationId: 'updateCollection',
        summary: 'Bring a collection up to date',
        description:
          'Indexes the documents that came to the source since, takes out those that left it, indexes those again whose extraction was corrected, or whose vectors are of another model than is set up, and tries failed ones again; a stopped collection goes on. What did not change is not touched, and can be searched meanwhile. It is indexed for the person who asks.',
        params: collectionPath,
        errors: [
          'embeddings_not_configured',
          'source_too_large',
          'viewer_cannot_write',
          'collection_not_found',
          'collection_indexing',
          'too_many_collections',
        ],
        response: { 200: collection },
      },
    },
    async (request) => collections(request.actor).update(request.params.collection_id),
  );

  app.post(
    `${path}/:collection_id/stop`,
    {
      schema: {
        tags,
        operationId: 'stopIndexing',
        summary: 'Stop indexing',
        description: 'What has been indexed stays and can be searched.',
        params: collectionPath,
        errors: ['viewer_cannot_write', 'collection_not_found', 'not_indexing'],
        response: { 200: collection },
      },
    },
    async (request) => collections(request.actor).stop(request.params.collection_id),
  );

  app.delete(
    `${path}/:collection_id`,
    {
      schema: {
        tags,
        operationId: 'deleteCollection',
        summary: 'Delete a collection',
        description:
          'With its index, for good. Documents and what was extracted from them stay. 403 `viewer_cannot_write`;',
        params: collectionPath,
        errors: ['viewer_cannot_write', 'collection_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await collections(request.actor).delete(request.params.collection_id);
      return reply.code(204).send();
    },
  );
};
