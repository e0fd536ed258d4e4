/** A text or number of a result. */
export interface ResultLeaf {
  /** Dotted, with indexes: `line_items.0.amount`. */
  path: string;
  value: string | number;
  /** The digits of a number that `value` had to round. */
  raw?: string;
  /** The innermost name on the path. */
  name: string;
  /** Path of the innermost array around the leaf and the index of its element; undefined outside arrays. */
  list: { path: string; element: number } | undefined;
  /** Positions of the words that the model quoted for the value. Other places do not count. */
  within?: ReadonlySet<number>;
}

/** The texts and numbers of a result. Booleans, nulls and blank texts are left out, because no page shows them. */
export function leavesOf(result: unknown): ResultLeaf[] {
  const leaves: ResultLeaf[] = [];
  collect(result, { path: '', name: '', list: undefined }, leaves);
  return leaves;
}

function collect(value: unknown, place: Omit<ResultLeaf, 'value'>, leaves: ResultLeaf[]): void {
  if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) {
    leaves.push({ ...place, value });
  } else if (Array.isArray(value)) {
    for (const [element, item] of value.entries()) {
      collect(item, { path: join(place.path, element), name: place.name, list: { path: place.path, element } }, leaves);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      collect(item, { ...place, path: join(place.path, name), name }, leaves);
    }
  }
}

function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
