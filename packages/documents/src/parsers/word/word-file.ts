import type { Block } from '../../flow/block.ts';
import type { UnreadPart } from '../../page/unread.ts';
import type { OfficeArchive, Relation } from '../office-archive.ts';
import type { NoteKind } from '../note-mark.ts';
import type { Numbering } from '../list-numbers.ts';
import type { Styles } from './styles.ts';

/** What the readers of the parts of one Word file share. */
export interface WordFile {
  archive: OfficeArchive;
  styles: Styles;
  numbering: Numbering;
  note(part: UnreadPart): void;
  countHidden(characters: number): void;
  /** Counts a note that the text refers to. Returns its number; undefined if it has a mark of its own. */
  addNote(kind: NoteKind, id: string, hasOwnMark: boolean): number | undefined;
  /** The content of a file that was inserted into the text. */
  readChunk(relations: ReadonlyMap<string, Relation>, id: string | undefined): Block[];
}
