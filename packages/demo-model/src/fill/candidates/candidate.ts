import type { Line } from '../../page/layout.ts';

/** How a value was found. */
export type FoundBy =
  /** Its form alone identifies it: an IBAN, an e-mail address, a currency. */
  | 'form'
  /** A sentence of a contract, or its title. */
  | 'sentence'
  /** A caption whose meaning is that of the field. */
  | 'caption'
  /** A caption that resembles the field's name or description. */
  | 'similar'
  /** A label of the field's concept. */
  | 'label'
  /** A label that can also mean something else. */
  | 'weak_label'
  /** A name or address beside or below a label. */
  | 'named_party'
  /** A name or address at its usual place on the document. */
  | 'placed_party'
  /** Only its place among values of its kind. */
  | 'place';

/** A possible value of a field, with its source line and the evidence for it. */
export interface Candidate<Value = string | number> {
  value: Value;
  /** As written on the page. */
  written: string;
  line: Line;
  source: FoundBy;
  /** How well the label fits and how reliably a value at this place belongs to it, from 0 to 1. */
  fit: number;
  /** 1 if other numbers of the document confirm the value, -1 if they contradict it, 0 otherwise. */
  arithmetic?: 1 | 0 | -1;
  /** Whether a sign marks its kind: `#1024` is an identifier. */
  isMarked?: boolean;
  /** Whether it can be read in another way too, or could go on in what is beside or below it. */
  isUnsure?: boolean;
  /** Whether it is placed like a caption, so that it could be a caption that no list contains. */
  resemblesCaption?: boolean;
}
