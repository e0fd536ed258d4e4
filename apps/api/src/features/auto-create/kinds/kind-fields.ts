import { isAtOrBelow } from '@docwright/review';

/** One field of a kind: a leaf of its schema, or a list. */
interface KindField {
  path: string;
  title?: string;
  isList: boolean;
}

const maxFields = 100;
const maxDepth = 4;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The fields of a schema in its order, nested objects by dotted paths; a list is one field. At most a hundred.
 *
 * @example
 * fieldsOfSchema({ properties: { seller: { properties: { name: {} } } } }) // [{ path: 'seller.name', isList: false }]
 */
export function fieldsOfSchema(schema: unknown, before = '', depth = 0): KindField[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties)
    .flatMap(([name, property]): KindField[] => {
      if (!isObject(property)) return [];
      const path = `${before}${name}`;
      const isNested = isObject(property['properties']) && depth < maxDepth;
      if (isNested) return fieldsOfSchema(property, `${path}.`, depth + 1);
      const { title, type } = property;
      const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
      return [{ path, isList, ...(typeof title === 'string' && title !== '' ? { title } : {}) }];
    })
    .slice(0, maxFields);
}

/** The paths of fields that contain one of the values: `line_items` contains `line_items.2.amount`. */
export function fieldsWithValues(fields: readonly KindField[], valuePaths: readonly string[]): string[] {
  return fields.map(({ path }) => path).filter((field) => valuePaths.some((path) => isAtOrBelow(path, field)));
}

/** The value at a path of a result, or the number of rows of a list. Undefined if nothing was found. */
export function valueAt(result: unknown, { path, isList }: KindField): string | number | boolean | undefined {
  let value: unknown = result;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined;
  if (isList || Array.isArray(value)) return Array.isArray(value) && value.length > 0 ? value.length : undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined;
}
