import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import { DomainError, type UnreadPart } from '@docwright/contract';
import { detectType, type ContainedFile } from '@docwright/documents';
import { ignoreDuplicateKey } from '../../../platform/database/connection.ts';
import type { UploadSettings } from '../../identity/index.ts';
import type { StorageLimit } from '../../../platform/database/stored-bytes/storage-limit.ts';
import { filesOf } from '../files/upload-service.ts';
import type { FileRepository } from '../files/file-repository.ts';
import { documentNameFrom } from '../records/document-name.ts';
import type { DuplicateRepository } from '../records/duplicate-repository.ts';
import type { AttachmentRepository } from './attachment-repository.ts';

interface AttachmentServiceDependencies {
  attachmentsOf: (organizationId: string) => AttachmentRepository;
  duplicatesOf: (organizationId: string) => DuplicateRepository;
  files: FileRepository;
  uploadSettings: (organizationId: string) => Promise<UploadSettings>;
  maxAttachments: number;
  maxUploadBytes: number;
  storageLimit: Pick<StorageLimit, 'reserve'>;
}

/** Mails inside of mails are followed this deep. */
const maxDepth = 3;

/** A document that is being read. */
interface ReadDocument {
  organizationId: string;
  documentId: string;
  /** How deep it is inside of other documents; 0 for one that was uploaded. */
  depth: number;
  includesAttachments: boolean;
}

/** Makes the files inside of a document that is being read documents of their own. */
export type AttachmentService = ReturnType<typeof createAttachmentService>;

export function createAttachmentService(dependencies: AttachmentServiceDependencies) {
  const { attachmentsOf, duplicatesOf, files, uploadSettings, maxAttachments, maxUploadBytes, storageLimit } =
    dependencies;
  return {
    /** How many files of the document are wanted. */
    limitOf: ({ depth, includesAttachments }: ReadDocument): number =>
      includesAttachments && depth < maxDepth ? maxAttachments : 0,
    /** Returns why the file is no document, or undefined if it is one. */
    async store(
      { organizationId, documentId }: ReadDocument,
      { name, bytes }: ContainedFile,
      index: number,
    ): Promise<UnreadPart | undefined> {
      const document_name = documentNameFrom(basename(name.replaceAll('\\', '/')) || name);
      if (bytes.byteLength > maxUploadBytes) {
        return notRead(name, `is over the ${Math.floor(maxUploadBytes / 1024 / 1024)} MB limit`);
      }
      let mime_type: string;
      try {
        mime_type = await detectType(bytes, document_name);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { kind: 'attachment', name, message: error.message };
      }
      const attachments = attachmentsOf(organizationId);
      if (await attachments.exists(documentId, index)) return undefined;
      const { onDuplicate } = await uploadSettings(organizationId);
      const reserved = await storageLimit.reserve(organizationId, bytes.byteLength).catch((error: unknown) => {
        if (error instanceof DomainError) return undefined;
        throw error;
      });
      if (!reserved) return notRead(name, 'would exceed what the organization can store');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const file_id = await files.store(bytes, document_name);
      const file = { index, document_name, mime_type, size_bytes: bytes.byteLength, file_id, sha256 };
      const isOwn = onDuplicate === 'keep';
      const document = await attachments
        .insert(documentId, { ...file, ...(isOwn && { is_own: true as const }) })
        // Another process was faster with this file.
        .catch(ignoreDuplicateKey);
      if (!document) {
        await reserved.giveBack();
        await files.remove(file_id);
        return undefined;
      }
      await reserved.giveTo(filesOf([document]));
      if (!isOwn) await duplicatesOf(organizationId).mark([document], [sha256]);
      await files.settle([file_id]);
      return undefined;
    },
  };
}

function notRead(name: string, why: string): UnreadPart {
  return { kind: 'attachment', name, message: `This file was not read, because it ${why}.` };
}
