import { isRecord } from '../http/json-value.ts';
import { itemSchema, labelOf, propertySchema, shapeOf, type FieldShape, type JsonSchema } from './field-shape.ts';
import { joinPath } from './value-path.ts';

/** A value that a user can check and edit. */
export interface FieldNode {
  kind: 'field';
  /** Dotted with indexes: `line_items.0.amount`. */
  path: string;
  label: string;
  value: string | number | boolean | null;
  shape: FieldShape;
}

interface GroupNode {
  kind: 'group';
  path: string;
  label: string;
  children: ResultNode[];
}

/** A list of flat objects: a row per object, a column per property. */
export interface TableNode {
  kind: 'table';
  path: string;
  label: string;
  columns: { key: string; label: string }[];
  rows: FieldNode[][];
}

export type ResultNode = FieldNode | GroupNode | TableNode;

/** Turns an extraction's result into a tree for display, in the order of the schema if there is one. */
export function resultTree(result: unknown, schema: JsonSchema | undefined): ResultNode[] {
  if (isRecord(result)) return childrenOf(result, schema, '');
  return [nodeOf(result, schema, 'result', 'Result')];
}

/** All fields of the tree, in display order. */
export function fieldsOf(nodes: ResultNode[]): FieldNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'field') return [node];
    return node.kind === 'group' ? fieldsOf(node.children) : node.rows.flat();
  });
}

/** The fields with a value. */
export const filledFields = (fields: readonly FieldNode[]): FieldNode[] =>
  fields.filter(({ value }) => value !== null && value !== '');

const isScalar = (value: unknown) => value === null || typeof value !== 'object';

function childrenOf(object: Record<string, unknown>, schema: JsonSchema | undefined, path: string): ResultNode[] {
  const properties = schema?.['properties'];
  const planned = isRecord(properties) ? Object.keys(properties).filter((key) => key in object) : [];
  const keys = [...new Set([...planned, ...Object.keys(object)])];
  return keys.map((key) => nodeOf(object[key], propertySchema(schema, key), joinPath(path, key), labelOf(key)));
}

function nodeOf(value: unknown, schema: JsonSchema | undefined, path: string, label: string): ResultNode {
  if (Array.isArray(value)) return listNode(value, itemSchema(schema), path, label);
  if (isRecord(value)) return { kind: 'group', path, label, children: childrenOf(value, schema, path) };
  return fieldNode(value, schema, path, label);
}

function fieldNode(value: unknown, schema: JsonSchema | undefined, path: string, label: string): FieldNode {
  const scalar = isScalar(value) ? (value as FieldNode['value']) : null;
  return { kind: 'field', path, label, value: scalar, shape: shapeOf(schema, scalar) };
}

function listNode(items: unknown[], schema: JsonSchema | undefined, path: string, label: string): ResultNode {
  const flat = items.length > 0 && items.every((item) => isRecord(item) && Object.values(item).every(isScalar));
  if (!flat) {
    const children = items.map((item, index) => nodeOf(item, schema, joinPath(path, index), String(index + 1)));
    return { kind: 'group', path, label, children };
  }
  const records = items as Record<string, unknown>[];
  const properties = schema?.['properties'];
  const keys = [
    ...new Set([...(isRecord(properties) ? Object.keys(properties) : []), ...records.flatMap(Object.keys)]),
  ];
  return {
    kind: 'table',
    path,
    label,
    columns: keys.map((key) => ({ key, label: labelOf(key) })),
    rows: records.map((record, index) =>
      keys.map((key) =>
        fieldNode(record[key] ?? null, propertySchema(schema, key), joinPath(joinPath(path, index), key), labelOf(key)),
      ),
    ),
  };
}
