import { createHash } from 'node:crypto';
import { DomainError, type Document, type OnAsk } from '@docwright/contract';
import { detectType, unlockPdf } from '@docwright/documents';
import { declareWrites, uploadTool, type AuditWrites, type NoteWrite } from '../../audit/index.ts';
import { requireWriter, type Actor, type UploadSettings } from '../../identity/index.ts';
import { newId } from '../../../platform/database/object-id.ts';
import type { StorageLimit } from '../../../platform/database/stored-bytes/storage-limit.ts';
import { fileOwner, type OwnedBytes } from '../../../platform/database/stored-bytes/stored-bytes.ts';
import { documentNameFrom } from '../records/document-name.ts';
import type { DocumentRepository, FileOfSource } from '../records/document-repository.ts';
import type { DuplicateRepository } from '../records/duplicate-repository.ts';
import type { FileRepository } from './file-repository.ts';

/** More files that a person chose together are not all waited for. */
const fewFiles = 20;

interface UploadServiceDependencies {
  auditWrites: AuditWrites;
  documentsOf: (organizationId: string) => DocumentRepository;
  files: FileRepository;
  maxUploadBytes: number;
  storageLimit: StorageLimit;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  duplicatesOf: (organizationId: string) => DuplicateRepository;
  uploadSettings: (organizationId: string) => Promise<UploadSettings>;
  /** Wakes the reader of texts, which finds its work in the documents' records. */
  wakeTextReader: () => Promise<void>;
}

export interface StoredFile {
  document_name: string;
  mime_type: string;
  size_bytes: number;
  file_id: string;
  sha256: string;
}

export interface UploadedFile extends StoredFile {
  tag_ids: string[];
  metadata: Record<string, unknown>;
  /** Whether an unattended run makes a proposal; the default is the organization's. */
  auto_create?: boolean | undefined;
  /** What happens to calls of that run that need approval; the default is the organization's. */
  on_ask?: OnAsk | undefined;
  /** Default: true. With false, files inside of it are no documents. */
  include_attachments?: boolean | undefined;
  /** The document is kept from all models from the start. */
  never_to_model?: true | undefined;
  /** Set for a file of a source. */
  source?: FileOfSource | undefined;
}

/**
 * One upload request: files are checked and stored as they arrive, and become documents together in `finish`. `abandon`
 * removes the files of the request that no document names.
 */
export interface Upload {
  /** A PDF that needs the password is stored without it. Throws `wrong_file_password`. */
  store(name: string, bytes: Uint8Array, password?: string): Promise<StoredFile>;
  /** @param batchSize how many files a person chose together, of which these are some */
  finish(files: UploadedFile[], batchSize?: number, note?: NoteWrite): Promise<Document[]>;
  abandon(): Promise<void>;
}

export type UploadService = (actor: Actor) => Upload;

/** Undoing an upload moves the document to the trash. */
const writes = declareWrites<Upload>({
  finish: {
    tool: uploadTool,
    takes: ['files', '-', 'note'],
  },
});

export function createUploadService(dependencies: UploadServiceDependencies): UploadService {
  const { documentsOf, files, maxUploadBytes, storageLimit, checkTags, uploadSettings, duplicatesOf, wakeTextReader } =
    dependencies;
  return dependencies.auditWrites(writes, (actor) => {
    requireWriter(actor);
    const stored: string[] = [];
    let storedSize = 0;
    return {
      async store(name, sent, password) {
        const document_name = documentNameFrom(name);
        if (sent.byteLength > maxUploadBytes) throw fileTooLarge(maxUploadBytes, document_name);
        await storageLimit.requireRoom(actor.organizationId, storedSize + sent.byteLength);
        const sha256 = createHash('sha256').update(sent).digest('hex');
        const mime_type = await detectType(sent, document_name);
        const isLocked = password !== undefined && mime_type === 'application/pdf';
        const bytes = isLocked ? await unlockPdf({ bytes: sent, password }) : sent;
        const file_id = await files.store(bytes, document_name);
        stored.push(file_id);
        storedSize += bytes.byteLength;
        return { document_name, mime_type, size_bytes: bytes.byteLength, file_id, sha256 };
      },
      async finish(uploaded, batchSize = uploaded.length, note?: NoteWrite) {
        if (uploaded.length === 0) {
          throw new DomainError('invalid', 'no_files', 'The request has no file. Send at least one under `files`.');
        }
        await checkTags(actor.organizationId, [...new Set(uploaded.flatMap((file) => file.tag_ids))]);
        const records = documentsOf(actor.organizationId);
        const [{ isDefault, onAsk, onDuplicate }, readFirst] = await Promise.all([
          uploadSettings(actor.organizationId),
          records.countReadFirst(
            uploaded.map(({ source }) => ({ ...source, uploaded_by: actor.userId })),
            actor.token === undefined && batchSize <= fewFiles ? 'byHand' : 'inNumbers',
          ),
        ]);
        const duplicates = duplicatesOf(actor.organizationId);
        const hashes = uploaded.map(({ sha256 }) => sha256);
        if (onDuplicate === 'refuse') await refuseDuplicates(hashes, duplicates);
        const newDocuments = uploaded.map(
          ({ auto_create = isDefault, on_ask = onAsk, include_attachments, source, ...file }) => ({
            ...file,
            id: newId(),
            ...(include_attachments === false ? { include_attachments: false as const } : {}),
            ...source,
            uploaded_by: actor.userId,
            ...(onDuplicate === 'keep' ? { is_own: true as const } : {}),
            ...(auto_create ? { auto_create_request: { run_id: newId(), role: actor.role, on_ask } } : {}),
          }),
        );
        const size = newDocuments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
        const reserved = await storageLimit.reserve(actor.organizationId, size);
        let named: string[] = [];
        const insert = async (): Promise<Document[]> => {
          await note?.(...newDocuments.map(notedUpload));
          // From here on documents can name the files, also if no answer says so. The sweep removes those that none names.
          named = stored.splice(0);
          return await records.insert(newDocuments, readFirst);
        };
        const inserted = await insert().catch(async (error: unknown) => {
          await reserved.giveBack();
          throw error;
        });
        await reserved.giveTo(filesOf(inserted));
        const documents = onDuplicate === 'keep' ? inserted : await duplicates.mark(inserted, hashes);
        await files.settle(named);
        await wakeTextReader();
        return documents;
      },
      async abandon() {
        for (const fileId of stored.splice(0)) await files.remove(fileId);
      },
    };
  });
}

const notedUpload = ({
  id,
  document_name,
  mime_type,
  size_bytes,
  tag_ids,
}: Pick<Document, 'id' | 'document_name' | 'mime_type' | 'size_bytes' | 'tag_ids'>) => ({
  kind: 'upload' as const,
  recordId: id,
  fields: { document_id: id, document_name, mime_type, size_bytes, tag_ids },
});

/** What the files of documents count as stored. */
export const filesOf = (documents: readonly Pick<Document, 'id' | 'size_bytes'>[]): OwnedBytes[] =>
  documents.map(({ id, size_bytes }) => ({ owner: fileOwner(id), bytes: size_bytes }));

async function refuseDuplicates(hashes: readonly string[], duplicates: DuplicateRepository): Promise<void> {
  const originals = await duplicates.originals(hashes);
  for (const [at, hash] of hashes.entries()) {
    const document_id = originals.get(hash);
    if (document_id !== undefined) {
      const message = `The document ${document_id} has the same bytes. Use that one, or change the organization’s on_duplicate.`;
      throw new DomainError('conflict', 'duplicate', message, { document_id });
    }
    if (hashes.indexOf(hash) < at) {
      const message = 'Two files of the upload have the same bytes. Send one of them.';
      throw new DomainError('conflict', 'duplicate', message);
    }
  }
}

export function fileTooLarge(maxBytes: number, name: string): DomainError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  const message = `“${name}” is over the ${megabytes} MB limit.`;
  return new DomainError('too_large', 'file_too_large', message);
}
