import {
  DomainError,
  maxDocumentsInSource,
  type CreateSourceBody,
  type PageQuery,
  type Source,
} from '@docwright/contract';
import { requireWriter, type Actor } from '../identity/index.ts';
import { sharesOf } from './shares-of-sample.ts';
import type { FileProblems, FileTotals, SourceRepository, StoredSource } from './source-repository.ts';

interface SourceServiceDependencies {
  sourcesOf: (organizationId: string) => SourceRepository;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  /** Those of `ids` that are documents of the organization. */
  existingDocuments: (organizationId: string, ids: readonly string[]) => Promise<string[]>;
}

/** The sources that one person may work with in one organization. A missing id is `source_not_found`. */
export interface SourceService {
  create(body: CreateSourceBody): Promise<Source>;
  get(id: string): Promise<Source>;
  list(page: PageQuery): Promise<{ sources: Source[]; total_count: number; skip: number; limit: number }>;
  /** Its collections stay. */
  delete(id: string): Promise<void>;
  /** What it holds, by type, from the records alone: no text is read, however many files there are. */
  totals(id: string): Promise<FileTotals[]>;
  /** What stands in their way, from the records alone as well. */
  problems(id: string): Promise<FileProblems>;
  /** At most `most` of its documents: of each type some, spread over all of that type. */
  sample(id: string, most: number): Promise<string[]>;
}

export function createSourceService(dependencies: SourceServiceDependencies): (actor: Actor) => SourceService {
  const { sourcesOf, checkTags, existingDocuments } = dependencies;
  return (actor) => {
    const sources = sourcesOf(actor.organizationId);
    const counted = async (source: StoredSource): Promise<Source> => ({
      ...source,
      document_count: await sources.count(source),
    });
    const stored = async (id: string): Promise<StoredSource> => sourceOrThrow(await sources.get(id));

    return {
      async create(body) {
        requireWriter(actor);
        await checkTags(actor.organizationId, body.tag_ids ?? []);
        const ids = [...new Set(body.document_ids ?? [])];
        if ((await existingDocuments(actor.organizationId, ids)).length < ids.length) {
          throw new DomainError(
            'invalid',
            'unknown_reference',
            'One of the documents does not exist. List the documents and use an id from there.',
          );
        }
        return await counted(await sources.create(body, actor.userId));
      },
      get: async (id) => counted(await stored(id)),
      async list(page) {
        const found = await sources.list(page);
        return { ...found, sources: await Promise.all(found.sources.map(counted)), ...page };
      },
      async delete(id) {
        requireWriter(actor);
        if (!(await sources.remove(id))) throw noSource();
      },
      totals: async (id) => sources.totals(await stored(id)),
      problems: async (id) => sources.problems(await stored(id)),
      async sample(id, most) {
        const source = await stored(id);
        const totals = await sources.totals(source);
        const shares = sharesOf(
          totals.map(({ files }) => files),
          most,
        );
        const chosen: string[] = [];
        for (const [at, { mime_type }] of totals.entries()) {
          const share = shares[at] ?? 0;
          if (share > 0) chosen.push(...(await sources.sample(source, mime_type, share)));
        }
        return chosen;
      },
    };
  };
}

export function sourceOrThrow(source: StoredSource | undefined): StoredSource {
  if (source === undefined) throw noSource();
  return source;
}

/** Throws where a source holds nothing, or more than a pipeline takes. */
export function requireUsableCount(documents: number): void {
  if (documents === 0) {
    throw new DomainError(
      'invalid',
      'source_empty',
      'The source holds no documents. Upload some, or widen the source.',
    );
  }
  requireNotTooLarge(documents);
}

export function requireNotTooLarge(documents: number): void {
  if (documents > maxDocumentsInSource) {
    const message = `The source holds ${documents} documents, and ${maxDocumentsInSource} are the most. Narrow it by tags or names.`;
    throw new DomainError('invalid', 'source_too_large', message);
  }
}

function noSource(): DomainError {
  return new DomainError('not_found', 'source_not_found', 'There is no such source.');
}
