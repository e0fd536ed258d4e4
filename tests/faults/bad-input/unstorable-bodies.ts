import { unstorableFields } from './odd-values.ts';
import type { JsonSchema } from './operations.ts';

/** Names of fields from the outside in; `0` enters a list. */
type Path = readonly string[];

/** Bodies with unstorable values in each free-form place of the schema. */
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

/** Creates missing objects on the path; an existing object at the place keeps its fields. */
function withFields(value: unknown, [name, ...rest]: Path, fields: object): unknown {
  const here = isObject(value) ? value : {};
  if (name === undefined) return { ...here, ...fields };
  if (name === '0') return [withFields(Array.isArray(value) ? value[0] : {}, rest, fields)];
  return { ...here, [name]: withFields(here[name], rest, fields) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
