import { wordsOf } from '../page/fold.ts';
import type { DocumentText } from '../page/document-text.ts';
import type { Line } from '../page/layout.ts';
import { type DocumentFacts, readFacts } from './document-facts.ts';
import { describeField } from './field.ts';
import { findFieldValue } from './field-value.ts';
import { fitValue } from './fit-value.ts';
import { emptyValue, type JsonSchema, resolveSchema, typesOf } from './json-schema.ts';
import { readWantedRows } from './tables/wanted-rows.ts';

export interface FilledSchema {
  value: unknown;
  /** The source line of each found value, by dotted path with indexes. */
  sources: ReadonlyMap<string, Line>;
}

interface Filling {
  facts: DocumentFacts;
  root: JsonSchema;
  sources: Map<string, Line>;
  /** Paths to leave empty, such as those that an earlier answer was refused for. */
  left: ReadonlySet<string>;
}

const maxDepth = 10;

/**
 * Fills a schema from page text. The result has exactly the properties of the schema. A missing or uncertain value is
 * empty (see `emptyValue`).
 */
export function fillSchema(
  schema: JsonSchema,
  document: DocumentText,
  left: ReadonlySet<string> = new Set(),
): FilledSchema {
  const facts = readFacts(document);
  const context = { ...facts.context, asked: askedWords(schema, schema) };
  const filling: Filling = { facts: { ...facts, context }, root: schema, sources: new Map(), left };
  const value = fillValue(schema, [], filling);
  return { value, sources: filling.sources };
}

const longestDescription = 80;
const maxAsked = 300;

/** Names and short descriptions of all single fields of a schema. */
function askedWords(schema: JsonSchema, root: JsonSchema, depth = 0): string[] {
  if (depth > maxDepth) return [];
  const words = Object.entries(resolveSchema(schema, root).properties ?? {}).flatMap(([name, property]) => {
    const resolved = resolveSchema(property, root);
    if (resolved.properties) return askedWords(resolved, root, depth + 1);
    const { description = '' } = resolved;
    return [wordsOf(name), ...(description === '' || description.length > longestDescription ? [] : [description])];
  });
  return words.slice(0, maxAsked);
}

function fillValue(unresolved: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const schema = resolveSchema(unresolved, filling.root);
  if (path.length > maxDepth) return emptyValue(schema, filling.root);
  const types = typesOf(schema);
  if (types.includes('object') && schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, property]) => [name, fillValue(property, [...path, name], filling)]));
  }
  if (types.includes('array')) return fillArray(schema, path, filling);
  return fillScalar(schema, path, filling);
}

function fillScalar(schema: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const dotted = path.join('.');
  const empty = emptyValue(schema, filling.root);
  if (schema.const !== undefined || filling.left.has(dotted)) return empty;
  const found = findFieldValue(describeField(path, schema), filling.facts);
  const value = found ? fitValue(found, schema) : undefined;
  if (!found || value === undefined) return empty;
  filling.sources.set(dotted, found.line);
  return value;
}

function fillArray(schema: JsonSchema, path: readonly string[], filling: Filling): unknown {
  const { root, facts, sources, left } = filling;
  const dotted = path.join('.');
  const item = resolveSchema(schema.items ?? {}, root);
  if (!item.properties || left.has(dotted)) return emptyValue(schema, root);
  const entries = Object.entries(item.properties).map(
    ([name, property]) => [name, resolveSchema(property, root)] as const,
  );
  const rows = readWantedRows(Object.fromEntries(entries), facts.context);
  if (rows.length === 0) return emptyValue(schema, root);
  return rows.map((row, index) => {
    const cells = entries.map(([name, property]) => {
      const reading = row.values.get(name);
      const at = `${dotted}.${index}.${name}`;
      const value = reading && !left.has(at) ? fitValue(reading, property) : undefined;
      if (value === undefined) return [name, emptyValue(property, root)];
      sources.set(at, row.line);
      return [name, value];
    });
    return Object.fromEntries(cells) as unknown;
  });
}
