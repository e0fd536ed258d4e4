import type { MachineData } from '@docwright/contract';
import type { PageCodes } from '../machine-data/codes/read-codes.ts';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { ParseLimits } from './parse-limits.ts';

/** An opened document. Each page is read when the iterator reaches it, so that one page is in memory at a time. */
export interface OpenedDocument {
  pageCount: number;
  pages: Iterable<Page>;
  /** What could not be read and is on no page, such as attachments. */
  unread?: UnreadPart[];
  /** Its machine-readable data. */
  machineData?: MachineData[];
  /** Reads the codes of a page. Those of a page that waits for recognition are read with it. */
  codesOf?: (pageNumber: number) => Promise<PageCodes>;
  /** The picture that is a page of its own and waits for recognition. */
  pictureOf?: (pageNumber: number) => Uint8Array | undefined;
  /** Files inside of this one, each a document of its own: the attachments of a mail, the files of an archive. */
  files?: Iterable<ContainedFile>;
}

/** A file inside of another one. */
export interface ContainedFile {
  name: string;
  bytes: Uint8Array;
}

/** Opens one kind of document. Rejects with `ParseFailure`; any other error means that the file is damaged. */
export type DocumentReader = (bytes: Uint8Array, limits: ParseLimits) => Promise<OpenedDocument>;
