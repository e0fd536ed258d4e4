import { setImmediate } from 'node:timers/promises';
import { DomainError, type Document, type SplitAnswer, type SplitBody, type SplitProposal } from '@docwright/contract';
import { canSplit, ParseError, type extractPages } from '@docwright/documents';
import { createSplitProposer } from '@docwright/documents/long';
import { declareWrites, type AuditWrites } from '../../audit/index.ts';
import type { Actor } from '../../identity/index.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { documentNameFrom } from '../records/document-name.ts';
import type { DocumentRepository } from '../records/document-repository.ts';
import { unreadReason } from '../records/unread-document.ts';
import type { ReservedBytes, StorageLimit } from '../../../platform/database/stored-bytes/storage-limit.ts';
import type { FileRepository } from '../files/file-repository.ts';
import { filesOf } from '../files/upload-service.ts';
import type { PageRepository } from '../reading/page-repository.ts';
import type { EndWaitingForSplit } from './waiting-split-repository.ts';

interface SplitServiceDependencies {
  auditWrites: AuditWrites;
  documentsOf: (organizationId: string) => DocumentRepository;
  pagesOf: (organizationId: string) => PageRepository;
  files: FileRepository;
  storageLimit: Pick<StorageLimit, 'reserve'>;
  /** Throws `unknown_reference` if a tag does not belong to the organization. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  extract: typeof extractPages;
  endWaiting: EndWaitingForSplit;
}

/** Splits documents that a user can access in one organization. */
export interface SplitService {
  /** Proposes where the documents of a file start. Writes nothing. */
  propose(id: string): Promise<SplitProposal>;
  /** Creates documents from ranges of pages. The original stays; text and words are copied. */
  split(id: string, parts: SplitBody['parts'], origin?: WriteOrigin): Promise<SplitAnswer>;
}

const writes = declareWrites<SplitService>({
  split: { tool: 'split_document', takes: ['document_id', 'parts', 'origin'] },
});

export function createSplitService(dependencies: SplitServiceDependencies): (actor: Actor) => SplitService {
  const { files, checkTags, extract, endWaiting } = dependencies;
  return dependencies.auditWrites(writes, (actor) => {
    const documents = dependencies.documentsOf(actor.organizationId);
    const pages = dependencies.pagesOf(actor.organizationId);

    async function requireReadable(id: string): Promise<{ document: Document; file_id: string; page_count: number }> {
      const found = await documents.fileOf(id);
      if (!found) throw new DomainError('not_found', 'document_not_found', 'There is no such document.');
      const { document, file_id } = found;
      if (!canSplit(document.mime_type)) {
        throw new DomainError(
          'invalid',
          'cannot_split',
          'Only a PDF can be split into documents. Convert the file to a PDF first.',
        );
      }
      const unread = unreadReason(document);
      if (unread) throw unread;
      if (document.page_count === null) {
        const reason = document.state_error?.message ?? 'Its text could not be read.';
        throw new DomainError('conflict', 'document_has_no_text', `The document has no pages to split. ${reason}`);
      }
      return { document, file_id, page_count: document.page_count };
    }

    return {
      async propose(id) {
        const { document } = await requireReadable(id);
        const proposer = createSplitProposer();
        for await (const page of pages.eachPage(id)) {
          proposer.add(page);
          await setImmediate();
        }
        return { parts: proposer.propose(nameWithoutEnding(document.document_name)) };
      },
      async split(id, parts, origin) {
        const { document, file_id, page_count } = await requireReadable(id);
        requirePageLimits(parts, page_count);
        const selected = parts.map((part) => pagesOfPart(part, page_count));
        await checkTags(actor.organizationId, [...new Set(parts.flatMap(({ tag_ids = [] }) => tag_ids))]);
        // A repeated call returns the documents of the first one.
        const before = origin === undefined ? [] : await documents.listSplitBy(origin.call_id);
        if (before.length > 0) return { documents: before, ...countPages(selected, page_count) };
        const names = parts.map(({ name }) => documentNameFrom(/\.pdf$/iu.test(name) ? name : `${name}.pdf`));
        const stored: string[] = [];
        const sizes: number[] = [];
        let reserved: ReservedBytes | undefined;
        try {
          await extract({
            bytes: await files.read(file_id),
            parts: selected,
            async onFile(file, index) {
              stored.push(await files.store(file, names[index]!, actor.organizationId));
              sizes.push(file.byteLength);
            },
          });
          const size = sizes.reduce((sum, each) => sum + each, 0);
          reserved = await dependencies.storageLimit.reserve(actor.organizationId, size);
          const children = [];
          for (const [index, part] of parts.entries()) {
            // The sweep that removes the file of an interrupted split finds its pages by this id.
            const child = stored[index]!;
            await pages.copy(id, selected[index]!, child);
            children.push({
              id: child,
              document_name: names[index]!,
              size_bytes: sizes[index]!,
              file_id: stored[index]!,
              page_count: selected[index]!.length,
              state: document.state === 'ocr_failed' ? ('ocr_failed' as const) : ('ocr_completed' as const),
              unread: await pages.unread(child),
              ...(await pages.findings(child)),
              tag_ids: part.tag_ids ?? [],
              metadata: {},
              never_to_model: document.never_to_model,
              // A document that arrived was not uploaded by the organization, which splits it.
              uploaded_by: origin?.source?.kind === 'arrival' ? document.uploaded_by : actor.userId,
              routing_due: origin?.source?.kind === 'arrival' || document.routing?.state === 'waiting_split',
              split_from: { document_id: id, pages: part.pages },
            });
          }
          // From here on documents can name the files, also if no answer says so. The sweep removes those that none names.
          const named = stored.splice(0);
          const inserted = await documents.insertSplit(children, origin);
          await reserved.giveTo(filesOf(inserted));
          if (document.routing?.state === 'waiting_split') await endWaiting(actor.organizationId, id);
          await files.settle(named);
          return { documents: inserted, ...countPages(selected, page_count) };
        } catch (error) {
          if (stored.length > 0) await reserved?.giveBack();
          for (const file of stored) {
            await pages.removeAll(file);
            await files.remove(file);
          }
          if (!(error instanceof ParseError)) throw error;
          throw new DomainError('invalid', 'cannot_split', error.message);
        }
      },
    };
  });
}

/** The limit of all parts together: a page in several parts is stored several times. */
const maxPages = 10_000;

function requirePageLimits(parts: SplitBody['parts'], page_count: number): void {
  // Counts the ranges without listing their pages, so that repeated ranges are cheap to refuse.
  const pagesIn = ({ pages }: SplitBody['parts'][number]) =>
    pages.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, page_count) - from + 1), 0);
  const counts = parts.map(pagesIn);
  const repeating = parts.find((_part, index) => counts[index]! > page_count);
  if (repeating !== undefined) {
    const message = `The part "${repeating.name}" names pages twice. Name each page of a part once.`;
    throw new DomainError('invalid', 'pages_out_of_range', message);
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > maxPages) {
    const message = `The parts have ${total} pages together; the limit is ${maxPages}. Split in several steps.`;
    throw new DomainError('invalid', 'pages_out_of_range', message);
  }
}

function pagesOfPart({ name, pages }: SplitBody['parts'][number], page_count: number): number[] {
  return pages.flatMap(([from, to]) => {
    if (from > to || to > page_count) {
      const message = `The part "${name}" names the pages ${from} to ${to}; the document has the pages 1 to ${page_count}.`;
      throw new DomainError('invalid', 'pages_out_of_range', message);
    }
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function countPages(
  selected: readonly (readonly number[])[],
  page_count: number,
): Pick<SplitAnswer, 'pages_in_several' | 'pages_in_none'> {
  const counts = new Map<number, number>();
  for (const page of selected.flat()) counts.set(page, (counts.get(page) ?? 0) + 1);
  const all = Array.from({ length: page_count }, (_, index) => index + 1);
  return {
    pages_in_several: all.filter((page) => (counts.get(page) ?? 0) > 1),
    pages_in_none: all.filter((page) => !counts.has(page)),
  };
}

function nameWithoutEnding(name: string): string {
  return name.replace(/\.[^.]{1,5}$/u, '');
}
