const ending = ' after the change';

/** Name of the page mark of a value after a change; the value's own mark is named by its path. */
export const afterMark = (path: string): string => `${path}${ending}`;

/** The path in such a name; undefined for the name of a value's own mark. */
export const pathOfAfterMark = (name: string): string | undefined =>
  name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;
