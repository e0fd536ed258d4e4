import type { ValidationError } from '@docwright/contract';
import { joinPath } from './dotted-path.ts';
import { allNodes, childNodes, isSchemaObject, type SchemaNode, type SchemaObject } from './schema-nodes.ts';

const maxDepth = 20;
/** References multiply: ten definitions that each refer to the next twice expand to a thousand schemas. */
const maxExpanded = 3_000;

interface Extent {
  depth: number;
  count: number;
}

/**
 * Requires that references stay inside the schema, resolve, and are not recursive: results have a bounded shape, and
 * validation takes bounded time. Depth and size include the referenced schemas.
 */
export function checkReferences(root: SchemaObject): ValidationError[] {
  const nodes = allNodes(root);
  const nodeOfSchema = new Map<unknown, SchemaNode>(nodes.map((node) => [node.schema, node]));
  const errors: ValidationError[] = [];
  const targetOf = new Map<SchemaNode, SchemaNode>();
  for (const node of nodes) {
    if (!Object.hasOwn(node.schema, '$ref')) continue;
    const target = resolveReference(root, node.schema['$ref']);
    const targetNode = nodeOfSchema.get(target);
    if (targetNode) targetOf.set(node, targetNode);
    else errors.push({ path: joinPath(node.path, '$ref'), message: messageFor(node.schema['$ref']) });
  }
  if (errors.length > 0) return errors;
  return checkExtent(nodeOfSchema, targetOf, nodes);
}

function checkExtent(
  nodeOfSchema: Map<unknown, SchemaNode>,
  targetOf: Map<SchemaNode, SchemaNode>,
  nodes: SchemaNode[],
): ValidationError[] {
  const errors: ValidationError[] = [];
  const extents = new Map<SchemaNode, Extent | 'open'>();
  const measure = (node: SchemaNode): Extent => {
    const known = extents.get(node);
    if (known === 'open') {
      errors.push({
        path: node.path,
        message: 'This schema refers back to itself. Write out the levels you need instead of a recursive reference.',
      });
      return { depth: 0, count: 0 };
    }
    if (known) return known;
    extents.set(node, 'open');
    const applied = childNodes(node)
      .filter((child) => child.applies)
      .map((child) => nodeOfSchema.get(child.schema) ?? child);
    const target = targetOf.get(node);
    const parts = (target ? [...applied, target] : applied).map(measure);
    const extent = {
      depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
      count: 1 + parts.reduce((sum, part) => sum + part.count, 0),
    };
    extents.set(node, extent);
    return extent;
  };
  const largest = nodes.map(measure);
  if (errors.length > 0) return errors;
  if (largest.some((extent) => extent.depth > maxDepth)) {
    return [{ path: '', message: `The schema is nested deeper than ${maxDepth} levels. Flatten it.` }];
  }
  if (largest.some((extent) => extent.count > maxExpanded)) {
    return [{ path: '', message: `The schema has more than ${maxExpanded} parts, including references. Use fewer.` }];
  }
  return [];
}

function messageFor(reference: unknown): string {
  if (typeof reference === 'string' && reference.startsWith('#')) {
    return `The reference ${JSON.stringify(reference)} points to no schema here. Add it under "definitions", or correct the reference.`;
  }
  return 'A reference must stay inside the schema, for example "#/definitions/address". Copy what it refers to into "definitions".';
}

function resolveReference(root: SchemaObject, reference: unknown): unknown {
  if (reference === '#') return root;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const segment of reference.slice(2).split('/')) {
    const name = decodePointerSegment(segment);
    if (name === undefined) return undefined;
    if (Array.isArray(current)) current = current[Number(name)];
    else if (isSchemaObject(current) && Object.hasOwn(current, name)) current = current[name];
    else return undefined;
  }
  return current;
}

function decodePointerSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
