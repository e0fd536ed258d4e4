import { setImmediate } from 'node:timers/promises';
import { DomainError, type Document, type SplitAnswer, type SplitBody, type SplitProposal } from '@docwright/contract';
import { canSplit, ParseError, type extractPages } from '@docwright/documents';
import { createSplitProposer } from '@docwright/documents/long';
import { newId } from '../../../platform/database/object-id.ts';
import { requireWriter, type Actor } from '../../identity/index.ts';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';
import { documentNameFrom } from '../document-name.ts';
import type { DocumentRepository } from '../document-repository.ts';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from '../reading/page-repository.ts';

interface SplitServiceDependencies {
  documentsOf: (organizationId: string) => DocumentRepository;
  pagesOf: (organizationId: string) => PageRepository;
  files: FileRepository;
  /** Throws `unknown_reference` when a tag is not the organization's. */
  checkTags: (organizationId: string, tagIds: string[]) => Promise<void>;
  extract: typeof extractPages;
}

/** Splits the documents that one person may work with in one organization. */
export interface SplitService {
  /** Where the documents of a file begin; writes nothing. */
  propose(id: string): Promise<SplitProposal>;
  /** Makes documents of pages. The original stays; text and words are carried over. */
  split(id: string, parts: SplitBody['parts'], origin?: WriteOrigin): Promise<SplitAnswer>;
}

export function createSplitService(dependencies: SplitServiceDependencies): (actor: Actor) => SplitService {
  const { files, checkTags, extract } = dependencies;
  return (actor) => {
    const documents = dependencies.documentsOf(actor.organizationId);
    const pages = dependencies.pagesOf(actor.organizationId);

    async function readable(id: string): Promise<{ document: Document; file_id: string; page_count: number }> {
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
      const isUnread = document.state === 'uploaded' || document.state === 'ocr_processing';
      if (document.page_count === null || isUnread) {
        const message = `The text of the document is still being read (state ${document.state}). Try again when it is ocr_completed.`;
        throw new DomainError('conflict', 'document_not_read_yet', message);
      }
      return { document, file_id, page_count: document.page_count };
    }

    return {
      async propose(id) {
        const { document } = await readable(id);
        const proposer = createSplitProposer();
        for await (const page of pages.eachPage(id)) {
          proposer.add(page);
          await setImmediate();
        }
        return { parts: proposer.propose(nameWithoutEnding(document.document_name)) };
      },
      async split(id, parts, origin) {
        requireWriter(actor);
        const { document, file_id, page_count } = await readable(id);
        requireReasonable(parts, page_count);
        const selected = parts.map((part) => pagesOfPart(part, page_count));
        await checkTags(actor.organizationId, [...new Set(parts.flatMap(({ tag_ids = [] }) => tag_ids))]);
        // A call that is made again answers as the first time.
        const before = origin === undefined ? [] : await documents.splitOffBy(origin.call_id);
        if (before.length > 0) return { documents: before, ...countedPages(selected, page_count) };
        const cut = await extract({ bytes: await files.read(file_id), parts: selected }).catch((error: unknown) => {
          if (!(error instanceof ParseError)) throw error;
          throw new DomainError('invalid', 'cannot_split', error.message);
        });
        const stored: string[] = [];
        try {
          const children = [];
          for (const [index, part] of parts.entries()) {
            const name = documentNameFrom(/\.pdf$/iu.test(part.name) ? part.name : `${part.name}.pdf`);
            const file = await files.store(cut[index]!, name);
            stored.push(file);
            const child = newId();
            await pages.copy(id, selected[index]!, child);
            children.push({
              id: child,
              document_name: name,
              size_bytes: cut[index]!.byteLength,
              file_id: file,
              page_count: selected[index]!.length,
              state: document.state === 'ocr_failed' ? ('ocr_failed' as const) : ('ocr_completed' as const),
              tag_ids: part.tag_ids ?? [],
              metadata: {},
              uploaded_by: actor.userId,
              split_from: { document_id: id, pages: part.pages },
            });
          }
          const made = await documents.insertSplit(children, origin);
          await files.settle(stored);
          return { documents: made, ...countedPages(selected, page_count) };
        } catch (error) {
          for (const file of stored) await files.remove(file);
          throw error;
        }
      },
    };
  };
}

/** All parts together; a page may stand in several, but what is made of them is stored anew. */
const maxPages = 10_000;

function requireReasonable(parts: SplitBody['parts'], page_count: number): void {
  // Counted from the ranges: naming all pages again and again must not cost what it would take to list them.
  const pagesIn = ({ pages }: SplitBody['parts'][number]) =>
    pages.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, page_count) - from + 1), 0);
  const counts = parts.map(pagesIn);
  const crowded = parts.find((_part, index) => counts[index]! > page_count);
  if (crowded !== undefined) {
    const message = `The part "${crowded.name}" names pages twice. Name each page of a part once.`;
    throw new DomainError('invalid', 'pages_out_of_range', message);
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all > maxPages) {
    const message = `The parts have ${all} pages together, and at most ${maxPages} are made at once. Split in several steps.`;
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

function countedPages(
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
