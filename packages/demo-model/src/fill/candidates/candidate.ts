import type { Line } from '../../page/layout.ts';

/** How a value was found. */
export type Source =
  /** Its form alone identifies it: an IBAN, an e-mail address, a currency. */
  | 'form'
  /** A sentence of a contract, or its title. */
  | 'sentence'
  /** A caption that is known to ask for the field. */
  | 'caption'
  /** A caption that resembles the field's name or description. */
  | 'similar'
  /** A label of the field's concept. */
  | 'label'
  /** A label that can also mean something else. */
  | 'weak_label'
  /** A name or address beside or below a label. */
  | 'named_party'
  /** A name or address by its place on the paper. */
  | 'placed_party'
  /** Nothing but its place among values of its kind. */
  | 'place';

/** A value that could be what a field asks for, with its source line and what speaks for it. */
export interface Candidate<Value = string | number> {
  value: Value;
  /** As written on the page. */
  written: string;
  line: Line;
  source: Source;
  /** How well the label fits and how surely a value at this place belongs to it, from 0 to 1. */
  fit: number;
  /** 1 where other numbers of the paper confirm the value, -1 where they contradict it; 0 otherwise. */
  arithmetic?: 1 | 0 | -1;
  /** Whether a sign says of what kind it is: `#1024` is a number of something. */
  isMarked?: boolean;
  /** Whether it stands as captions do, so that it could be a caption that no list has. */
  resemblesCaption?: boolean;
}
