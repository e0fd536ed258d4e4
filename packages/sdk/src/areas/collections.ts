import type { Collection, PluginKind, searchBody } from '@docwright/contract';
import type { z } from 'zod';
import { DocwrightError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import { sleep } from '../client/sleep.ts';
import type { CallOptions } from '../client/transport.ts';

/** The body of `collections.search`: words, phrases in quotation marks and excluded words, and the number of results. */
export type CollectionSearch = z.input<typeof searchBody>;

/** Options of `collections.wait`. */
export interface WaitForCollectionOptions extends CallOptions {
  /** Called with the collection after every poll. */
  onProgress?: ((collection: Collection) => void) | undefined;
}

/** Sets of documents, from which collections are built. */
export function createSources(api: OrganizationApi) {
  const list = api.operation('GET /api/v2/sources', 'query');
  return {
    /** Lists a page of sources, the newest first. */
    list,
    /** Yields all sources, the newest first. */
    listAll: listAllOf(list, ({ sources }) => sources),
    /** A source with its current number of documents. */
    get: api.operation('GET /api/v2/sources/:source_id'),
    /** Creates a source. All given conditions must match; without any, it contains all documents. */
    create: api.operation('POST /api/v2/sources', 'body'),
    /** Changes a source that fills itself. */
    update: api.operation('PATCH /api/v2/sources/:source_id', 'body'),
    /** The first files that a connector sees. */
    test: api.operation('POST /api/v2/sources/test', 'body'),
    /** The last sync of a source that fills itself. */
    lastSync: api.operation('GET /api/v2/sources/:source_id/sync'),
    /** Starts a sync of a source now; `lastSync` has its outcome. */
    sync: api.operation('POST /api/v2/sources/:source_id/sync'),
    /** Deletes a source. Its documents and collections are kept. */
    delete: api.operation('DELETE /api/v2/sources/:source_id'),
  };
}

/** The building blocks of pipelines. */
export function createPlugins(api: OrganizationApi) {
  return {
    /** Lists all plugins, or those of one kind. */
    list: (kind?: PluginKind, options?: CallOptions) =>
      api.operation('GET /api/v2/plugins', 'query')({ kind }, options),
  };
}

const firstPollMs = 250;
const maxPollMs = 2_000;

/** The searchable results of applied pipelines. */
export function createCollections(api: OrganizationApi) {
  const list = api.operation('GET /api/v2/collections', 'query');
  const get = api.operation('GET /api/v2/collections/:collection_id');
  return {
    /** Lists a page of collections, the newest first. */
    list,
    /** Yields all collections, the newest first. */
    listAll: listAllOf(list, ({ collections }) => collections),
    /** A collection with its progress and failures. */
    get,
    /**
     * Finds passages, the best first, each with its document, page and position. A collection can be searched while it is
     * indexed.
     *
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * const { results } = await docwright.collections.search('652f1c0a9d3e4b5f6a7b8c9d', { query: 'rent', top_k: 5 });
     * for (const { document_name, page_num, text } of results) console.log(document_name, page_num, text);
     * ```
     */
    search: api.operation('POST /api/v2/collections/:collection_id/search', 'body'),
    /** Starts to index the changes of the source, and retries failed documents. */
    update: api.operation('POST /api/v2/collections/:collection_id/update'),
    /** Stops the indexing. Indexed documents remain searchable. */
    stop: api.operation('POST /api/v2/collections/:collection_id/stop'),
    /** Deletes the collection and its index permanently. */
    delete: api.operation('DELETE /api/v2/collections/:collection_id'),
    /**
     * Waits until the indexing of the collection has finished.
     *
     * @returns the collection, with the status `ready` or `stopped`
     * @throws DocwrightError `indexing_failed` if no document could be indexed
     */
    async wait(collectionId: string, { onProgress, ...options }: WaitForCollectionOptions = {}): Promise<Collection> {
      for (let pause = firstPollMs; ; pause = Math.min(maxPollMs, pause * 2)) {
        const collection = await get(collectionId, options);
        onProgress?.(collection);
        if (collection.status === 'failed') throw failureOf(collection);
        if (collection.status !== 'indexing') return collection;
        await sleep(pause, options.signal);
      }
    },
  };
}

function failureOf({ name, failures }: Collection): DocwrightError {
  const why = failures.map(({ count, examples }) => `${count}: ${examples[0]?.message ?? 'failed'}`);
  const message = [`No document of "${name}" could be indexed.`, ...why].join(' ');
  return new DocwrightError({ code: 'indexing_failed', message, details: failures });
}
