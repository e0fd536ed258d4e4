import { joinPath } from './dotted-path.ts';

export type SchemaObject = Record<string, unknown>;

/** A schema inside a schema, with its path. */
export interface SchemaNode {
  schema: SchemaObject;
  path: string;
  /** False below keywords that test a value (`if`, `not`, …) but do not define the shape of a result. */
  laysOutShape: boolean;
  /** False for definitions, which apply only through references. */
  applies: boolean;
}

const shapeKeywords = new Set(['properties', 'items', 'additionalItems', 'anyOf', 'allOf', 'oneOf']);
const definitionKeywords = new Set(['definitions', '$defs']);
const keywordsWithNamedSchemas = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies'];
const keywordsWithSchemas = [
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The direct child schemas of a node. Boolean schemas have no rules and are omitted. */
export function childNodes(node: SchemaNode): SchemaNode[] {
  const children: SchemaNode[] = [];
  const add = (keyword: string, schema: unknown, path: string) => {
    if (!isSchemaObject(schema)) return;
    const isDefinition = definitionKeywords.has(keyword);
    const laysOutShape = isDefinition || (node.laysOutShape && shapeKeywords.has(keyword));
    children.push({ schema, path, laysOutShape, applies: !isDefinition });
  };
  for (const keyword of keywordsWithNamedSchemas) {
    const named = node.schema[keyword];
    if (!isSchemaObject(named)) continue;
    for (const [name, schema] of Object.entries(named)) {
      add(keyword, schema, joinPath(joinPath(node.path, keyword), name));
    }
  }
  for (const keyword of keywordsWithSchemas) {
    const value = node.schema[keyword];
    const path = joinPath(node.path, keyword);
    if (Array.isArray(value)) value.forEach((schema, index) => add(keyword, schema, joinPath(path, index)));
    else add(keyword, value, path);
  }
  return children;
}

/** The root and every schema inside it, parents first. */
export function allNodes(root: SchemaObject): SchemaNode[] {
  const nodes: SchemaNode[] = [{ schema: root, path: '', laysOutShape: true, applies: true }];
  for (const node of nodes) nodes.push(...childNodes(node));
  return nodes;
}
