import type { ResponseFormat } from '@docwright/contract';

type Node = Record<string, unknown>;

/**
 * The schema for a part of a document: single values can be null, since they can be in another part, and lists have no
 * minimum length. The schema of rows does not change.
 */
export function partFormat(format: ResponseFormat): ResponseFormat {
  const schema = relaxed(format.json_schema.schema) as ResponseFormat['json_schema']['schema'];
  return { ...format, json_schema: { ...format.json_schema, schema } };
}

function relaxed(node: Node): Node {
  const { properties } = node;
  if (!isNode(properties)) return node;
  const loose = Object.entries(properties).map(([name, property]) => [
    name,
    isNode(property) ? optional(property) : property,
  ]);
  return { ...node, properties: Object.fromEntries(loose) };
}

function optional(property: Node): Node {
  const types = [property['type']].flat();
  if (types.includes('array')) {
    const { minItems: _least, ...list } = property;
    return list;
  }
  if (types.includes('object')) return orNull(relaxed(property));
  return orNull(property);
}

function orNull(node: Node): Node {
  const { type, enum: values } = node;
  if (type === undefined || 'const' in node) return { anyOf: [node, { type: 'null' }] };
  const types = [type].flat();
  if (types.includes('null')) return node;
  return {
    ...node,
    type: [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  };
}

/** The outermost lists of objects in a schema, with the names of their fields. */
export function listsOf(format: ResponseFormat): { path: string; fields: string[] }[] {
  return listsBelow(format.json_schema.schema, '');
}

function listsBelow(node: Node, path: string): { path: string; fields: string[] }[] {
  const { properties, items } = node;
  if (isNode(items)) return isNode(items['properties']) ? [{ path, fields: Object.keys(items['properties']) }] : [];
  if (!isNode(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) =>
    isNode(property) ? listsBelow(property, path === '' ? name : `${path}.${name}`) : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
