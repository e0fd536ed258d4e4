const ending = ' after the change';

/** The name of the place of a value after a change, among the places of a document's values. */
export const afterMark = (path: string): string => `${path}${ending}`;

/** The path of the value whose place after a change is named so; undefined for the place of a value as it is. */
export const valueOfAfterMark = (name: string): string | undefined =>
  name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
