import { unstorableFields } from './odd-values.ts';
import type { JsonSchema } from './operations.ts';

/** Names of fields from the outermost in; `0` goes into a list. */
type Path = readonly string[];

/** A body with what no database takes, in each place where its schema lets whatever JSON can say stand. */
export function bodiesWithUnstorable(schema: JsonSchema | undefined, body: unknown): unknown[] {
  if (schema === undefined) return [];
  return freePlaces(schema).flatMap((path) => unstorableFields.map((fields) => withFields(body, path, fields)));
}

function freePlaces(schema: JsonSchema, path: Path = []): Path[] {
  const { properties, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  const isFree =
    Object.keys(schema).every((key) => key === 'description') ||
    schema.$ref?.includes('JsonValue') === true ||
    (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0);
  if (isFree) return [path];
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => freePlaces(inner, [...path, name])),
    ...(items === undefined ? [] : freePlaces(items, [...path, '0'])),
    ...[...anyOf, ...oneOf].flatMap((option) => freePlaces(option, path)),
  ];
}

/** What is not there on the way is made; what stands at the place stays beside the fields where it is an object. */
function withFields(value: unknown, [name, ...rest]: Path, fields: object): unknown {
  const here = isObject(value) ? value : {};
  if (name === undefined) return { ...here, ...fields };
  if (name === '0') return [withFields(Array.isArray(value) ? value[0] : {}, rest, fields)];
  return { ...here, [name]: withFields(here[name], rest, fields) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
