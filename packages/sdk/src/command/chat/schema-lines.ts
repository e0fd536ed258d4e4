import { printableLine } from '../terminal-text.ts';

interface Node {
  type?: unknown;
  description?: unknown;
  properties?: unknown;
  items?: unknown;
  enum?: unknown;
}

/**
 * The fields of a JSON schema, one a line: `invoice_number  string?  Number of the invoice`. A question mark means
 * nullable. Undefined when this is not the schema of an object.
 */
export function schemaLines(schema: unknown, indent = ''): string[] | undefined {
  const properties = propertiesOf(schema);
  if (properties === undefined) return undefined;
  const width = Math.max(...properties.map(([name]) => name.length));
  return properties.flatMap(([name, node]) => {
    const says = typeof node.description === 'string' ? `  ${printableLine(node.description)}` : '';
    const line = `${indent}${printableLine(name).padEnd(width)}  ${typeOf(node)}${says}`;
    return [line, ...(schemaLines(node, `${indent}  `) ?? schemaLines(node.items, `${indent}  `) ?? [])];
  });
}

function propertiesOf(schema: unknown): [string, Node][] | undefined {
  const properties = typeof schema === 'object' && schema !== null ? (schema as Node).properties : undefined;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const entries = Object.entries(properties).filter(
    (entry): entry is [string, Node] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  return entries.length === 0 ? undefined : entries;
}

function typeOf({ type, enum: choices }: Node): string {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  const names = types.filter((name) => name !== 'null').map(printableLine);
  const shown = Array.isArray(choices) ? 'one of' : names.join(' or ') || 'any';
  const of = Array.isArray(choices) ? ` ${printableLine(JSON.stringify(choices))}` : '';
  return `${shown}${of}${types.includes('null') ? '?' : ''}`;
}
