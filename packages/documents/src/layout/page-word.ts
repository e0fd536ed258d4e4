import type { Word } from '../page/page.ts';
import type { ReadingDirection } from '../page/reading-direction.ts';

/** A word with the attributes that the layout needs. */
export interface PageWord extends Word {
  /** undefined for text at an angle. */
  direction: ReadingDirection | undefined;
}
