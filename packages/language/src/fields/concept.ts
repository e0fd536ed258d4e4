/** The form of a value. It decides how the rules read the value from the page. */
export type ValueKind = 'amount' | 'percent' | 'date' | 'identifier' | 'text';

/** A meaning with different labels in documents and different field names in schemas. */
export interface Concept {
  name: string;
  kind: ValueKind;
  /** Field names with this meaning, as folded words. */
  field: RegExp;
  /** Labels with only this meaning. */
  labels: RegExp;
  /** Labels that have this meaning only without a better label. */
  weakLabels?: RegExp;
  /** Words beside a label that change its meaning. */
  not?: RegExp;
}
