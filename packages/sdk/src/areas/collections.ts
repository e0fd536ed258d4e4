import type {
  Collection,
  collectionList,
  createSourceBody,
  PluginInfo,
  PluginKind,
  SearchAnswer,
  searchBody,
  Source,
  sourceList,
} from '@docwright/contract';
import type { z } from 'zod';
import { DocwrightError } from '../client/docwright-error.ts';
import { listAllOf } from '../client/every-page.ts';
import type { OrganizationApi } from '../client/organization-api.ts';
import { sleep } from '../client/sleep.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from './page-request.ts';

type SourceList = z.infer<typeof sourceList>;
type CollectionList = z.infer<typeof collectionList>;
export type CollectionSearch = z.input<typeof searchBody>;

export interface WaitForCollectionOptions extends CallOptions {
  /** Called with the collection after every poll. */
  onProgress?: ((collection: Collection) => void) | undefined;
}

/** Sets of documents, from which collections are built. */
export function createSources(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<SourceList> =>
    api.get(['sources'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ sources }) => sources),
    get: (sourceId: string, options?: CallOptions): Promise<Source> => api.get(['sources', sourceId], {}, options),
    /** All given conditions must match. A name alone means all documents. */
    create: (body: z.input<typeof createSourceBody>, options?: CallOptions): Promise<Source> =>
      api.send('POST', ['sources'], body, options),
    /** Its documents and the collections built from it are not deleted. */
    delete: (sourceId: string, options?: CallOptions): Promise<void> => api.delete(['sources', sourceId], options),
  };
}

/** The building blocks of pipelines. */
export function createPlugins(api: OrganizationApi) {
  return {
    /** All plugins, or those of one kind. */
    list: (kind?: PluginKind, options?: CallOptions): Promise<{ plugins: PluginInfo[] }> =>
      api.get(['plugins'], { kind }, options),
  };
}

const firstPollMs = 250;
const maxPollMs = 2_000;

/** The searchable results of applied pipelines. */
export function createCollections(api: OrganizationApi) {
  const at = (collectionId: string, ...rest: string[]) => ['collections', collectionId, ...rest];
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<CollectionList> =>
    api.get(['collections'], { ...query }, options);
  const get = (collectionId: string, options?: CallOptions): Promise<Collection> =>
    api.get(at(collectionId), {}, options);
  return {
    list,
    listAll: listAllOf(list, ({ collections }) => collections),
    get,
    /** The best hits first, each with its document, page and position. Works during indexing too. */
    search: (collectionId: string, body: CollectionSearch, options?: CallOptions): Promise<SearchAnswer> =>
      api.send('POST', at(collectionId, 'search'), body, options),
    /** Indexes the changes of the source since, and retries failed documents. */
    update: (collectionId: string, options?: CallOptions): Promise<Collection> =>
      api.send('POST', at(collectionId, 'update'), undefined, options),
    /** Stops the indexing. Indexed documents remain searchable. */
    stop: (collectionId: string, options?: CallOptions): Promise<Collection> =>
      api.send('POST', at(collectionId, 'stop'), undefined, options),
    /** Deletes the collection and its index permanently. */
    delete: (collectionId: string, options?: CallOptions): Promise<void> => api.delete(at(collectionId), options),
    /**
     * Waits until the indexing of the collection has finished.
     *
     * @throws DocwrightError `indexing_failed` when no document could be indexed. A stopped collection is returned as
     * it is.
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
