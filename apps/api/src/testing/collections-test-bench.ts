import type { Collection, Document, SearchAnswer, Source } from '@docwright/contract';
import { startTestApp, type TestApp } from './test-app.ts';
import type { TestClient } from './test-client.ts';

export interface CollectionsTestBench {
  app: TestApp;
  upload(client: TestClient, files: Record<string, string | Uint8Array>): Promise<Document[]>;
  /** Reads the texts of all uploads. */
  read(): Promise<void>;
  /** Indexes all pending documents. */
  index(): Promise<void>;
  source(client: TestClient, body?: object): Promise<Source>;
  apply(client: TestClient, source: Source, pipeline?: object): Promise<Collection>;
  get(client: TestClient, id: string): Promise<Collection>;
  search(client: TestClient, id: string, query: string, top_k?: number): Promise<SearchAnswer>;
}

export const testPipeline = {
  parsers: [
    { extensions: ['txt', 'md'], plugin_id: 'plain' },
    { extensions: ['*'], plugin_id: 'spreadsheet' },
  ],
  chunker: { plugin_id: 'recursive', config: { max_characters: 200, overlap: 40 } },
};

export const collectionPath = (id: string) => `/api/v2/collections/${id}`;

/** The API on the embedded database, with the common steps of collection tests. */
export async function startCollectionsTestBench(): Promise<CollectionsTestBench> {
  const app = await startTestApp();
  const { signal } = new AbortController();
  return {
    app,
    async upload(client, files) {
      const documents = Object.entries(files).map(([name, content]) => ({
        name,
        content: Buffer.from(content).toString('base64'),
      }));
      const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
      return body.documents;
    },
    async read() {
      await app.services.documents.textReading.readAll(signal);
    },
    index: () => app.services.pipelines.indexing.work(signal),
    async source(client, body = {}) {
      const { status, body: created } = await client.post<Source>('/api/v2/sources', { name: 'All', ...body });
      if (status !== 201) throw new Error(`Creating the source answered ${status}.`);
      return created;
    },
    async apply(client, source, pipeline = testPipeline) {
      const application = { source_id: source.id, name: 'Searchable', pipeline };
      return await app.services.pipelines.collections(client.actor).apply(application);
    },
    get: async (client, id) => (await client.get<Collection>(collectionPath(id))).body,
    search: async (client, id, query, top_k = 10) =>
      (await client.post<SearchAnswer>(`${collectionPath(id)}/search`, { query, top_k })).body,
  };
}
