import type { FileProblems } from '@docwright/agent-core';
import {
  DomainError,
  maxDocumentsInSource,
  type ConnectorTest,
  type CreateSourceBody,
  type Source,
  type SourceConnector,
  type SourceSync,
  type TestConnectorBody,
  type UpdateSourceBody,
} from '@docwright/contract';
import { createFairPlaces } from '../../platform/places/fair-places.ts';
import { requireAdmin, requireWriter, type Actor } from '../identity/index.ts';
import type { ConnectorSecrets, SealedConnector } from './connector-secrets.ts';
import { placeOfConnector, type Connector } from './connectors/connector.ts';
import type { OpenConnector } from './connectors/open-connector.ts';
import { sharesOf } from './shares-of-sample.ts';
import type { FileTotals, SourceRepository, StoredSource } from './source-repository.ts';
import type { PageEnd, PageSelection } from '../../platform/database/page.ts';
import { requireSeen, withoutAdded } from '../../platform/records/seen-edit.ts';

interface SourceServiceDependencies {
  sourcesOf: (organizationId: string) => SourceRepository;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  openConnector: OpenConnector;
  secrets: ConnectorSecrets;
  /** Protects the documents of a source from models. */
  protectDocuments: (organizationId: string, id: string) => Promise<void>;
  /** Forgets the files of a source that is deleted or goes to another place; its documents stay. */
  forgetFiles: (organizationId: string, id: string) => Promise<void>;
  wakeSync: () => Promise<void>;
  /** The ids of documents of the organization. */
  existingDocuments: (organizationId: string, ids: readonly string[]) => Promise<string[]>;
}

/** The sources of one organization, with the rights of one user. Throws `source_not_found` for an unknown id. */
export interface SourceService {
  create(body: CreateSourceBody): Promise<Source>;
  get(id: string): Promise<Source>;
  /** Throws `source_not_syncable` for a source without a connector. */
  update(id: string, body: UpdateSourceBody): Promise<Source>;
  /** The first files that the connector sees. Throws why it cannot be read. */
  test(body: TestConnectorBody, signal: AbortSignal): Promise<ConnectorTest>;
  list(page: PageSelection): Promise<{ sources: Source[]; skip: number; limit: number } & PageEnd>;
  /** The last sync. */
  sync(id: string): Promise<SourceSync>;
  /** Starts a sync now. Throws `source_not_syncable` for a source without a connector. */
  startSync(id: string): Promise<SourceSync>;
  /** Its collections stay. */
  delete(id: string): Promise<void>;
  /** Its files by type, from records: no text is read. */
  totals(id: string): Promise<FileTotals[]>;
  /** The problems of its files, from records too. */
  problems(id: string): Promise<FileProblems>;
  /** Up to `size` documents: some of each type, spread over all of that type. */
  sample(id: string, size: number): Promise<string[]>;
}

export function createSourceService(dependencies: SourceServiceDependencies): (actor: Actor) => SourceService {
  const { sourcesOf, checkTags, existingDocuments, openConnector, secrets } = dependencies;
  const checks = createFairPlaces(checksAtOnce);
  return (actor) => {
    const sources = sourcesOf(actor.organizationId);
    const withCount = async (source: StoredSource): Promise<Source> => ({
      ...source,
      document_count: await sources.count(source),
    });
    const getOrThrow = async (id: string): Promise<StoredSource> => sourceOrThrow(await sources.get(id));

    async function syncOrThrow(id: string): Promise<SourceSync> {
      const sync = await sources.syncOf(id);
      if (sync === undefined) throw sourceNotFound();
      return sync;
    }

    /** Opens the connector for the work. Returns its secrets if the server has replaced one. */
    async function using(
      sealed: SealedConnector,
      work: (connector: Connector) => Promise<void>,
      signal?: AbortSignal,
    ): Promise<SealedConnector | undefined> {
      const leave = await checks(actor.organizationId);
      try {
        signal?.throwIfAborted();
        return await usingNow(sealed, work);
      } finally {
        leave();
      }
    }

    async function usingNow(
      sealed: SealedConnector,
      work: (connector: Connector) => Promise<void>,
    ): Promise<SealedConnector | undefined> {
      const opened = secrets.open(actor.organizationId, sealed);
      let renewed: SealedConnector | undefined;
      const connector = openConnector(actor.organizationId, opened, (secret) => {
        renewed = secrets.seal(actor.organizationId, { ...opened, secret } as SourceConnector);
      });
      try {
        await work(connector);
      } finally {
        await connector.close();
      }
      return renewed;
    }

    /** The connector as it is stored, once it can be read. */
    async function checked(sent: SourceConnector | undefined, stored?: SealedConnector) {
      if (sent === undefined) return undefined;
      const sealed = secrets.seal(actor.organizationId, sent, stored);
      const renewed = await using(sealed, async (connector) => connector.check());
      return renewed ?? sealed;
    }

    return {
      async create({ connector, ...body }) {
        requireWriter(actor);
        if (connector) requireAdmin(actor);
        else if (body.never_to_model === true) throw notSyncable();
        await checkTags(actor.organizationId, body.tag_ids ?? []);
        const ids = [...new Set(body.document_ids ?? [])];
        if ((await existingDocuments(actor.organizationId, ids)).length < ids.length) {
          throw new DomainError(
            'invalid',
            'unknown_reference',
            'One of the documents does not exist. List the documents and use an id from there.',
          );
        }
        const created = await sources.create({ ...body, connector: await checked(connector) }, actor.userId);
        if (created.connector) await dependencies.wakeSync();
        return await withCount(created);
      },
      async update(id, { connector, ...change }) {
        requireAdmin(actor);
        const seen = withoutAdded(change.seen, 'document_count');
        // Before the connector uses a token up, and files are forgotten.
        requireSeen('source', seen, await getOrThrow(id));
        const stored = await sources.connectorOf(id);
        if (stored === undefined) throw notSyncable();
        await checkTags(actor.organizationId, change.tag_ids ?? []);
        const next = await checked(connector, stored);
        // A file at another place is no version of the file that had the same name at the former one.
        const isMoved = next !== undefined && placeOfConnector(next.masked) !== placeOfConnector(stored.masked);
        if (isMoved) await dependencies.forgetFiles(actor.organizationId, id);
        const updated = await sources.update(id, { ...change, seen, connector: next });
        // Again, because a sync of the former place can have noted files meanwhile.
        if (isMoved) await dependencies.forgetFiles(actor.organizationId, id);
        // After the source is stored: documents that arrive from then on are protected by it.
        if (change.never_to_model === true) await dependencies.protectDocuments(actor.organizationId, id);
        await dependencies.wakeSync();
        return await withCount(sourceOrThrow(updated));
      },
      async test({ connector: sent, source_id }, signal) {
        requireAdmin(actor);
        const stored = source_id === undefined ? undefined : await sources.connectorOf(source_id);
        const sealed = secrets.seal(actor.organizationId, sent, stored);
        const ignoreProblems = { onProblem: () => undefined, onUnsettled: () => undefined };
        let answer: ConnectorTest = { files: [], has_more: false };
        const renewed = await using(
          sealed,
          async (connector) => {
            await connector.check(signal);
            const limit = AbortSignal.any([signal, AbortSignal.timeout(testTimeoutMs)]);
            for await (const found of connector.list(limit, ignoreProblems)) {
              const files = found
                .slice(0, maxTestFiles)
                .map(({ identity, size }) => ({ name: identity, size_bytes: size }));
              answer = { files, has_more: found.length > maxTestFiles };
              return;
            }
          },
          signal,
        );
        // The test has used up the stored refresh token.
        if (renewed && stored && source_id !== undefined && secrets.isSamePlace(actor.organizationId, stored, sent)) {
          await sources.renewSecrets(source_id, renewed);
        }
        return answer;
      },
      get: async (id) => withCount(await getOrThrow(id)),
      async list(page) {
        const found = await sources.list(page);
        const { skip, limit } = page;
        return { ...found, sources: await Promise.all(found.sources.map(withCount)), skip, limit };
      },
      sync: syncOrThrow,
      async startSync(id) {
        requireWriter(actor);
        const { connector, enabled } = await getOrThrow(id);
        if (connector === undefined || enabled === false) throw notSyncable();
        await sources.syncNow(id);
        await dependencies.wakeSync();
        return await syncOrThrow(id);
      },
      async delete(id) {
        requireWriter(actor);
        if (!(await sources.remove(id))) throw sourceNotFound();
        await dependencies.forgetFiles(actor.organizationId, id);
      },
      totals: async (id) => sources.totals(await getOrThrow(id)),
      problems: async (id) => sources.problems(await getOrThrow(id)),
      async sample(id, size) {
        const source = await getOrThrow(id);
        const totals = await sources.totals(source);
        const shares = sharesOf(
          totals.map(({ files }) => files),
          size,
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
  if (source === undefined) throw sourceNotFound();
  return source;
}

/** Throws `source_empty` and `source_too_large`. */
export function requireUsableCount(documents: number): void {
  if (documents === 0) {
    throw new DomainError('invalid', 'source_empty', 'The source has no documents. Upload some, or widen the source.');
  }
  requireNotTooLarge(documents);
}

export function requireNotTooLarge(documents: number): void {
  if (documents > maxDocumentsInSource) {
    const message = `The source has ${documents} documents; the maximum is ${maxDocumentsInSource}. Narrow it by tags or names.`;
    throw new DomainError('invalid', 'source_too_large', message);
  }
}

/** Connections that a process opens for requests: a server can keep each for a minute. */
const checksAtOnce = { inAll: 6, ofParty: 2 };
const maxTestFiles = 20;
const testTimeoutMs = 30_000;

function notSyncable(): DomainError {
  const message = 'The source is a set of documents without a connector, or is not enabled.';
  return new DomainError('invalid', 'source_not_syncable', message);
}

function sourceNotFound(): DomainError {
  return new DomainError('not_found', 'source_not_found', 'There is no such source.');
}
