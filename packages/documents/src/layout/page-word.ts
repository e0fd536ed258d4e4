import type { Word } from '../page/page.ts';
import type { ReadingDirection } from '../page/reading-direction.ts';

/** A word with its reading direction, as the layout needs it. */
export interface PageWord extends Word {
  /** Undefined for text at an angle. */
  direction: ReadingDirection | undefined;
}
