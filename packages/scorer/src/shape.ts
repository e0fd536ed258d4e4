import { isLeaf } from './leaf.ts';

/** The values that are possible at a place of a result, from its JSON schema, or from the data if there is no schema. */
export interface Shape {
  /** Whether a scalar is possible. */
  leaf: boolean;
  object: boolean;
  list: boolean;
  /** The shape of a property; undefined if there is no such property. */
  property: (name: string) => Shape | undefined;
  /** The shape of a list's items; undefined if there is no list. */
  items: () => Shape | undefined;
}

/** The shape without any restriction. */
const anything: Shape = { leaf: true, object: true, list: true, property: () => anything, items: () => anything };

type Schema = Record<string, unknown>;
const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape that a draft 7 schema allows. Shapes of properties and items are computed on demand, because a schema can refer to itself. */
export function shapeOfSchema(schema: unknown, root: unknown = schema): Shape {
  const parts = alternatives(schema, root);
  if (!parts.some(restricts)) return anything;
  const shapesOf = (schemas: unknown[]): Shape | undefined =>
    schemas.length === 0 ? undefined : shapeOfSchema({ anyOf: schemas }, root);
  const kinds = new Set(parts.flatMap(kindsOf));
  return {
    leaf: kinds.has('leaf'),
    object: kinds.has('object'),
    list: kinds.has('list'),
    property: cached((name) => shapesOf(parts.flatMap((part) => propertySchemas(part, name)))),
    items: once(() => shapesOf(parts.flatMap(itemSchemas))),
  };
}

/** The schema and all schemas that it refers to or combines, each once. */
function alternatives(schema: unknown, root: unknown, seen = new Set<string>()): Schema[] {
  if (!isRecord(schema)) return [];
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    if (seen.has($ref)) return [];
    seen.add($ref);
    return alternatives(resolve($ref, root), root, seen);
  }
  const combined = ['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
    Array.isArray(schema[word]) ? schema[word].flatMap((part: unknown) => alternatives(part, root, seen)) : [],
  );
  return restricts(schema) || combined.length === 0 ? [schema, ...combined] : combined;
}

function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined;
  const names = decodeURIComponent(reference.slice(1))
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (at, name) => (isRecord(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined),
    root,
  );
}

const restricting = ['type', 'properties', 'items', 'enum', 'const', 'patternProperties', 'additionalProperties'];
const restricts = (schema: Schema): boolean => restricting.some((word) => schema[word] !== undefined);

type Kind = 'leaf' | 'object' | 'list';

function kindsOf(schema: Schema): Kind[] {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0) {
    // `null` alone has no kind: it makes another alternative nullable, or it is a leaf without values.
    return types.flatMap((type) =>
      type === 'object' ? ['object'] : type === 'array' ? ['list'] : type === 'null' ? [] : ['leaf'],
    );
  }
  if (schema['properties'] !== undefined) return ['object'];
  if (schema['items'] !== undefined) return ['list'];
  return ['leaf'];
}

function propertySchemas(schema: Schema, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return [properties[name]];
  // Patterns are untrusted regular expressions and never run: every name is treated as a match.
  const byPattern = isRecord(patternProperties) ? Object.values(patternProperties) : [];
  return isRecord(additionalProperties) ? [...byPattern, additionalProperties] : byPattern;
}

const itemSchemas = ({ items }: Schema): unknown[] => (items === undefined ? [] : [items].flat());

/**
 * The shape of a result without a schema. All rows of a list form one shape. A list without rows, and null, allow
 * anything.
 */
export const shapeOfValue = (value: unknown): Shape => shapeOfValues([value]);

function shapeOfValues(values: unknown[]): Shape {
  const present = values.filter((value) => value !== null && value !== undefined);
  if (present.length === 0) return anything;
  const records = present.filter(isRecord);
  const lists = present.filter((value) => Array.isArray(value));
  return {
    leaf: present.some(isLeaf),
    object: records.length > 0,
    list: lists.length > 0,
    property: cached((name) => {
      const found = records.filter((record) => Object.hasOwn(record, name));
      return found.length === 0 ? undefined : shapeOfValues(found.map((record) => record[name]));
    }),
    items: once(() => (lists.length === 0 ? undefined : shapeOfValues(lists.flat()))),
  };
}

/** Whether values of both shapes can be compared: the field exists on both sides and has the same kind. */
export const comparable = (a: Shape | undefined, b: Shape | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  ((a.leaf && b.leaf) || (a.object && b.object) || (a.list && b.list) || isAlwaysNull(a) || isAlwaysNull(b));

const isAlwaysNull = (shape: Shape): boolean => !shape.leaf && !shape.object && !shape.list;

function cached<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, make(name));
    // Set in the line before.
    return known.get(name)!;
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
