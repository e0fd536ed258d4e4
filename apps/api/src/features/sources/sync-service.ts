import { createHash } from 'node:crypto';
import { DomainError, type SourceSync } from '@docwright/contract';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import type { HeldLease } from '../../platform/leases/leased-work.ts';
import { fileTooLarge, type Protection, type UploadService } from '../documents/index.ts';
import { arrivalActor } from '../identity/index.ts';
import { createBatchMemory, inSteadyBatches, type SeenBatches } from './seen-batches.ts';
import { filesPerBatch, type Connector, type FoundFile, type TakenFile } from './connectors/connector.ts';
import type { KnownFile, SourceFileRepository } from './source-file-repository.ts';

export interface SyncedSource {
  id: string;
  organizationId: string;
  tagIds: string[];
  autoCreate: boolean | undefined;
  /** Whether its documents are kept from models. */
  neverToModel: boolean;
  /** Where its files have the names that they are known by. */
  place: string;
}

interface SyncDependencies {
  filesOf: (organizationId: string, sourceId: string, place: string) => SourceFileRepository;
  protectionOf: (organizationId: string) => Pick<Protection, 'keeping' | 'protectAll'>;
  uploads: UploadService;
  /** Throws `storage_limit_reached`. */
  requireRoom: (organizationId: string) => Promise<void>;
  /** Judges the release of a document's results again. */
  rejudge: (organizationId: string, documentId: string) => Promise<void>;
  maxFileBytes: number;
  maxFiles?: number;
  maxMissingFiles?: number;
  /** The ids of tags of these names; those that do not exist are created. */
  tagsNamed: (source: SyncedSource, names: readonly string[]) => Promise<string[]>;
}

type SyncCounts = SourceSync['counts'];
export interface SyncOutcome {
  counts: SyncCounts;
  errors: SourceSync['errors'];
  seen: SeenBatches | undefined;
  /** When to look again, if files were still being written. */
  againInMs?: number | undefined;
}

interface SyncRun extends Pick<HeldLease, 'signal' | 'requireHeld'> {
  onProgress: (sync: Pick<SyncOutcome, 'counts' | 'errors'>) => Promise<void>;
  /** What the previous sync has seen. */
  seen: SeenBatches | undefined;
  forgetSeen: () => Promise<void>;
  /** Whether the source keeps its documents from models by now. */
  isKeeping: () => Promise<boolean>;
}

/** Takes the new and changed files of a source, once each. A killed sync is repeated and goes on where it was. */
export type SyncSource = (source: SyncedSource, connector: Connector, run: SyncRun) => Promise<SyncOutcome>;

const maxErrors = 20;
/** A server or a disk can list without end. */
const maxFilesOfSource = 5_000_000;
/** Files of a source that are gone and still remembered: a mail server can give its mails new numbers at each sync. */
const maxMissingFilesOfSource = 100_000;
const progressEveryMs = 1_000;

export function createSync(dependencies: SyncDependencies): SyncSource {
  const { filesOf, protectionOf, uploads, tagsNamed, maxFileBytes, maxFiles = maxFilesOfSource } = dependencies;
  const { maxMissingFiles = maxMissingFilesOfSource } = dependencies;
  return async (source, connector, { signal, requireHeld, onProgress, ...run }) => {
    const memory = createBatchMemory(run.seen, run.forgetSeen);
    const files = memory.guard(filesOf(source.organizationId, source.id, source.place));
    // Not in the name of the member who made the source, who may leave.
    const actor = arrivalActor(source.organizationId, source.id);
    const protection = protectionOf(source.organizationId);
    let isKeeping = source.neverToModel;
    const counts: SyncCounts = { seen: 0, taken: 0, unchanged: 0, missing: 0, failed: 0 };
    const errors: SourceSync['errors'] = [];
    let againInMs: number | undefined;
    let lacksRoom = false;
    let isAnyGone = false;
    let toldAt = Date.now();
    const fail = (file: string, error: unknown) => {
      counts.failed += 1;
      const reason = error instanceof DomainError ? error : unreadable();
      lacksRoom ||= isWithoutRoom(error);
      if (errors.length < maxErrors) errors.push({ file, code: reason.code, message: reason.message });
    };

    /** The document of one file. */
    async function documentOf(file: FoundFile, taken: TakenFile, replaces: string | undefined): Promise<string> {
      if (taken.problem) throw taken.problem;
      const hash = createHash('sha256').update(taken.bytes).digest('hex');
      const place = taken.sameAs ?? [file.identity, ...(taken.part === undefined ? [] : [taken.part])].join('\0');
      const source_key = createHash('sha256').update(`${source.id}\0${place}\0${hash}`).digest('hex');
      const before = await files.documentOf(source_key);
      if (before !== undefined) return before;
      const tagIds = await tagsNamed(source, taken.tagNames ?? []);
      const tag_ids = [...new Set([...source.tagIds, ...tagIds])];
      const upload = uploads(actor);
      try {
        const stored = await upload.store(taken.name, taken.bytes);
        await requireHeld();
        const [document] = await upload.finish([
          {
            ...stored,
            tag_ids,
            metadata: taken.metadata ?? {},
            auto_create: source.autoCreate,
            ...(isKeeping && { never_to_model: true }),
            include_attachments: taken.includesAttachments,
            source: { source_id: source.id, source_key, ...(replaces !== undefined && { replaces }) },
          },
        ]);
        if (document === undefined) throw new Error('The upload of one file gave no document.');
        counts.taken += 1;
        // The source can have become one that keeps its documents since the sync began.
        if (!isKeeping && (isKeeping = await run.isKeeping())) await protection.protectAll([document.id]);
        return document.id;
      } catch (error) {
        await upload.abandon();
        // Another sync, which has lost its lease, took it at the same time.
        if (isDuplicateKey(error)) {
          const other = await files.documentOf(source_key);
          if (other !== undefined) return other;
        }
        const same = refusedFor(error);
        if (same === undefined) throw error;
        // No model may see these bytes, also if an upload or another source brought them first.
        if (isKeeping || (await protection.keeping(tag_ids)).length > 0) await protection.protectAll([same]);
        return same;
      }
    }

    async function take(file: FoundFile, known: KnownFile | undefined): Promise<void> {
      if (file.size > maxFileBytes) throw fileTooLarge(maxFileBytes, file.identity);
      const parts = await connector.read(file);
      if (parts === undefined) return;
      // A name that is used again after its file was moved away or deleted is not a new version of that file.
      const former = known?.is_settled && known.is_missing ? undefined : known;
      const replaces = parts.length === 1 ? former?.documentIds[0] : undefined;
      const documentIds: string[] = [];
      const failures: { part: string | undefined; error: unknown }[] = [];
      for (const part of parts) {
        try {
          documentIds.push(await documentOf(file, part, replaces));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          failures.push({ part: part.part, error });
        }
      }
      for (const { part, error } of failures)
        fail(part === undefined ? file.identity : `${file.identity} ${part}`, error);
      // A file that is no document is tried again, because its limit or its bytes may change; a mail's parts do not.
      if (failures.length === parts.length && parts.length > 0) return;
      // All parts are looked at again once there is room; those that are documents already stay these.
      if (failures.some(({ error }) => isWithoutRoom(error))) return;
      // The source can be at another place by now.
      await requireHeld();
      await files.note(file, [...new Set(documentIds)], former);
      const versions = former === undefined ? [] : [...former.documentIds, ...documentIds];
      for (const id of new Set(versions)) await dependencies.rejudge(source.organizationId, id);
      if (failures.length === 0 && parts.length > 0) await settle(file);
      // A file that was not taken stays where a user finds it.
      else await files.noteSettled(file.identity, 'kept');
    }

    async function settle(file: FoundFile): Promise<void> {
      if (!connector.settle) return;
      const place = await connector.settle(file);
      isAnyGone ||= place === 'gone';
      await files.noteSettled(file.identity, place);
    }

    async function guarded(file: FoundFile, work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof DomainError) && !isFileError(error)) throw error;
        fail(file.identity, error);
      }
    }

    async function look(file: FoundFile, known: KnownFile | undefined): Promise<void> {
      if (known?.version !== file.version) return await guarded(file, () => take(file, known));
      counts.unchanged += 1;
      if (known.is_missing && !known.is_settled) await files.setMissing(known, null);
      // A former sync was killed, or could not do it, after it had noted the file.
      if (connector.settle && (!known.is_settled || known.is_missing)) await guarded(file, () => settle(file));
    }

    const presentBefore = run.seen?.files ?? (await files.countPresent());
    // Syncs that were cut short have noted more than one listing can hold.
    if (presentBefore > maxFiles) await findMissing();
    let present = 0;
    const callbacks = {
      onProblem: fail,
      onUnsettled: (milliseconds: number) => (againInMs = Math.min(againInMs ?? Infinity, milliseconds)),
    };
    for await (const batch of inSteadyBatches(connector.list(signal, callbacks))) {
      signal.throwIfAborted();
      if (counts.seen + batch.length > maxFiles) throw tooManyFiles(maxFiles);
      if (memory.isSeen(batch)) {
        counts.seen += batch.length;
        counts.unchanged += batch.length;
        present += batch.length;
        await tell();
        continue;
      }
      const known = await files.known(batch.map(({ identity }) => identity));
      if (batch.every((file) => isAsBefore(file, known.get(file.identity)))) memory.keep(batch);
      for (const file of batch) {
        signal.throwIfAborted();
        counts.seen += 1;
        const former = known.get(file.identity);
        if (former && !former.is_missing) present += 1;
        await look(file, former);
        // A smaller file can still have room. Without any, each one would be read for nothing.
        if (lacksRoom) await dependencies.requireRoom(source.organizationId);
        lacksRoom = false;
        await tell();
      }
    }
    // Only if files are missing, all are looked up.
    if (present < presentBefore) await findMissing();
    if (isAnyGone) await files.forgetMissing(maxMissingFiles);
    return { counts, errors, againInMs, seen: memory.seen(presentBefore) };

    async function tell(): Promise<void> {
      if (Date.now() - toldAt < progressEveryMs) return;
      toldAt = Date.now();
      await onProgress({ counts, errors });
    }

    /** Whether nothing is to be done or noted. */
    function isAsBefore(file: FoundFile, known: KnownFile | undefined): boolean {
      const isDone = connector.settle === undefined || known?.is_settled === true;
      return known?.version === file.version && !known.is_missing && isDone;
    }

    async function findMissing(): Promise<void> {
      let after = '';
      for (let rest = await files.present(after, filesPerBatch); rest.length > 0;) {
        const existing = await connector.existing(
          rest.map(({ identity }) => identity),
          signal,
        );
        for (const file of rest) {
          signal.throwIfAborted();
          if (existing.has(file.identity)) continue;
          await requireHeld();
          await files.setMissing(file, new Date());
          counts.missing += 1;
        }
        after = rest.at(-1)?.identity ?? '';
        rest = await files.present(after, filesPerBatch);
      }
      if (counts.missing > 0) await files.forgetMissing(maxMissingFiles);
    }
  };
}

/** The document that an upload was refused for, because it has the same bytes. */
function refusedFor(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || error.code !== 'duplicate') return undefined;
  return (error.details as { document_id?: string } | undefined)?.document_id;
}

const isWithoutRoom = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'storage_limit_reached';

function tooManyFiles(max: number): DomainError {
  const message = `The source lists more than ${max.toLocaleString('en')} files. Narrow its folder, depth or prefix.`;
  return new DomainError('invalid', 'source_too_large', message);
}

/** An error of the file system about one file. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadable(): DomainError {
  return new DomainError('invalid', 'file_unreadable', 'The file or folder cannot be read. Check its rights.');
}
