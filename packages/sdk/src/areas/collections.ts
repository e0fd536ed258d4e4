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
  /** Told of the collection whenever it has been looked at. */
  onProgress?: ((collection: Collection) => void) | undefined;
}

/** Sets of documents, of which collections are made. */
export function createSources(api: OrganizationApi) {
  const list = (query: PageRequest = {}, options?: CallOptions): Promise<SourceList> =>
    api.get(['sources'], { ...query }, options);
  return {
    list,
    listAll: listAllOf(list, ({ sources }) => sources),
    get: (sourceId: string, options?: CallOptions): Promise<Source> => api.get(['sources', sourceId], {}, options),
    /** What is given holds together; a name alone means all documents. */
    create: (body: z.input<typeof createSourceBody>, options?: CallOptions): Promise<Source> =>
      api.send('POST', ['sources'], body, options),
    /** Its documents, and collections that were made of it, stay. */
    delete: (sourceId: string, options?: CallOptions): Promise<void> => api.delete(['sources', sourceId], options),
  };
}

/** The parts that pipelines are built of. */
export function createPlugins(api: OrganizationApi) {
  return {
    /** All of them, or those of one kind. */
    list: (kind?: PluginKind, options?: CallOptions): Promise<{ plugins: PluginInfo[] }> =>
      api.get(['plugins'], { kind }, options),
  };
}

const lookFirstAfter = 250;
const lookAtMostEvery = 2_000;

/** What applied pipelines have made, to be searched. */
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
    /** The best hits first, each with its document, page and place. Also while it is being indexed. */
    search: (collectionId: string, body: CollectionSearch, options?: CallOptions): Promise<SearchAnswer> =>
      api.send('POST', at(collectionId, 'search'), body, options),
    /** Takes up what has changed in the source since, and what failed. */
    update: (collectionId: string, options?: CallOptions): Promise<Collection> =>
      api.send('POST', at(collectionId, 'update'), undefined, options),
    /** Ends the indexing; what is indexed stays and can be searched. */
    stop: (collectionId: string, options?: CallOptions): Promise<Collection> =>
      api.send('POST', at(collectionId, 'stop'), undefined, options),
    /** With its index, for good. */
    delete: (collectionId: string, options?: CallOptions): Promise<void> => api.delete(at(collectionId), options),
    /**
     * Waits until nothing of it is being indexed any more.
     * @throws DocwrightError `indexing_failed` where no document could be indexed; a stopped one is given as it is.
     */
    async wait(collectionId: string, { onProgress, ...options }: WaitForCollectionOptions = {}): Promise<Collection> {
      for (let pause = lookFirstAfter; ; pause = Math.min(lookAtMostEvery, pause * 2)) {
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
