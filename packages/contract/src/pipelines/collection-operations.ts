import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { collection, collectionList, pipelineListQuery, searchAnswer, searchBody } from './pipeline.ts';

export const collectionOperations = describeOperations('collections', {
  'GET /api/v2/collections': {
    operationId: 'listCollections',
    summary: 'List collections, newest first',
    description: 'The organization is named by `X-Org-Id`.',
    querystring: pipelineListQuery,
    response: { 200: collectionList },
  },
  'GET /api/v2/collections/:collection_id': {
    operationId: 'getCollection',
    summary: 'Get a collection with its progress',
    description:
      '`indexing` until each document of the source is `indexed` or `failed`; then `ready`, or `failed` if none could be indexed. Documents whose text is still being read wait. `failures` counts documents by the reason of their failure, with three examples each. The documents are those in the source when indexing started; after its end, `changes` counts what `…/update` would change.',
    errors: ['collection_not_found'],
    response: { 200: collection },
  },
  'POST /api/v2/collections/:collection_id/search': {
    operationId: 'searchCollection',
    summary: 'Search a collection',
    description:
      'Words are alternatives: more matching words and rarer ones rank higher. `"a phrase"` must occur, `-word` must not. Words match in all their forms in the language of each chunk (Danish, Dutch, English, Finnish, French, German, Hungarian, Italian, Norwegian, Portuguese, Romanian, Russian, Spanish, Swedish, Turkish; other languages as written). Case and accents are ignored, and very common words such as `the` count only in phrases. If the collection has vectors, texts with a similar meaning are found as well, and both lists are fused by reciprocal rank (`mode: "hybrid"`). Each hit has its page and the range of characters in the text of `…/documents/{id}/text`; in PDFs and images also a box for each line (`boxes`); and the matching words (`matches`). A collection can be searched while it is being indexed. A deleted document is not found from the moment of its deletion.',
    body: searchBody.meta({ examples: [{ query: '"notice period" lease -draft', top_k: 5 }] }),
    errors: ['collection_not_found'],
    response: { 200: searchAnswer },
  },
  'POST /api/v2/collections/:collection_id/update': {
    operationId: 'updateCollection',
    summary: 'Update a collection',
    description:
      'Indexes documents that are new in the source and removes those that left it. Indexes again documents whose result was corrected, whose vectors are of another model than the configured one, or that failed. A stopped collection continues. Unchanged documents are not touched and can be searched meanwhile. It is indexed on behalf of the caller.',
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
  'POST /api/v2/collections/:collection_id/stop': {
    operationId: 'stopIndexing',
    summary: 'Stop indexing',
    description: 'Indexed documents stay and can be searched.',
    errors: ['viewer_cannot_write', 'collection_not_found', 'not_indexing'],
    response: { 200: collection },
  },
  'DELETE /api/v2/collections/:collection_id': {
    operationId: 'deleteCollection',
    summary: 'Delete a collection',
    description: 'Deletes it with its index for good. Documents and their results stay.',
    errors: ['viewer_cannot_write', 'collection_not_found'],
    response: { 204: z.undefined() },
  },
});
