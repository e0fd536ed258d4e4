import type { Word } from '../page.ts';
import type { ReadingDirection } from './reading-direction.ts';

/** A word with what laying out the page needs to know. */
export interface PageWord extends Word {
  /** undefined for text at an angle. */
  direction: ReadingDirection | undefined;
}
