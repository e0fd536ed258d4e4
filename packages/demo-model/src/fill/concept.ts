/** What a value looks like, which decides how it is read from the page. */
export type ValueKind = 'amount' | 'percent' | 'date' | 'identifier' | 'text';

/** Something that documents say under different labels, and schemas under different field names. */
export interface Concept {
  name: string;
  kind: ValueKind;
  /** Field names that mean this, as folded words. */
  field: RegExp;
  /** Labels that mean this and nothing else. */
  labels: RegExp;
  /** Labels that may mean this where no better one is found. */
  weakLabels?: RegExp;
  /** Words beside a label that make it mean something else. */
  not?: RegExp;
}
