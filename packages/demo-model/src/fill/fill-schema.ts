import { RE2JS } from 're2js';
import type { DocumentLines } from '../page/document-text.ts';
import { fold, wordsOf } from '../page/fold.ts';
import type { Line } from '../page/layout.ts';
import { chooseCandidate, minProbability, rowProbability } from './candidates/choose.ts';
import { yesOrNo } from './captions/tick-boxes.ts';
import { type DocumentFacts, readFacts } from './document-facts.ts';
import { candidatesFor, hasLabelOf } from './field-value.ts';
import type { Reading } from './reading/read-value.ts';
import { describeField } from './schema/field.ts';
import { emptyValue, type FieldSchema, resolveSchema, typesOf } from './schema/json-schema.ts';
import { readWantedRows } from './tables/wanted-rows.ts';

export interface FilledSchema {
  value: unknown;
  /** The source line of each found value, by dotted path with indexes. */
  sources: ReadonlyMap<string, Line>;
  /** The probability that the value at a path is right, from 0 to 1, for null as well. A missing path is certainly empty. */
  probabilities: ReadonlyMap<string, number>;
}

interface Filling {
  facts: DocumentFacts;
  root: FieldSchema;
  sources: Map<string, Line>;
  probabilities: Map<string, number>;
  /** Paths to leave empty, such as those with errors in an earlier answer. */
  excluded: ReadonlySet<string>;
}

const maxDepth = 10;
/** The probability that a field is empty whose label is on the pages without a readable value. */
const labelledEmpty = 0.6;

/**
 * Fills a schema from page text. The result has exactly the properties of the schema. A missing or uncertain value is
 * empty (see `emptyValue`).
 */
export function fillSchema(
  schema: FieldSchema,
  document: DocumentLines,
  excluded: ReadonlySet<string> = new Set(),
): FilledSchema {
  const facts = readFacts(document);
  const context = { ...facts.context, fieldNames: fieldNamesIn(schema, schema) };
  const filling: Filling = {
    facts: { ...facts, context },
    root: schema,
    sources: new Map(),
    probabilities: new Map(),
    excluded,
  };
  const value = fillValue(schema, [], filling);
  return { value, sources: filling.sources, probabilities: filling.probabilities };
}

const maxDescriptionLength = 80;
const maxFieldNames = 300;

/** Names and short descriptions of all fields of a schema that are not objects. */
function fieldNamesIn(schema: FieldSchema, root: FieldSchema, depth = 0): string[] {
  if (depth > maxDepth) return [];
  const words = Object.entries(resolveSchema(schema, root).properties ?? {}).flatMap(([name, property]) => {
    const resolved = resolveSchema(property, root);
    if (resolved.properties) return fieldNamesIn(resolved, root, depth + 1);
    const { description = '' } = resolved;
    return [wordsOf(name), ...(description === '' || description.length > maxDescriptionLength ? [] : [description])];
  });
  return words.slice(0, maxFieldNames);
}

function fillValue(unresolved: FieldSchema, path: readonly string[], filling: Filling): unknown {
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

function fillScalar(schema: FieldSchema, path: readonly string[], filling: Filling): unknown {
  const dotted = path.join('.');
  const empty = emptyValue(schema, filling.root);
  if (schema.const !== undefined || filling.excluded.has(dotted)) return empty;
  const field = describeField(path, schema);
  const candidates = candidatesFor(field, filling.facts);
  const found = chooseCandidate(candidates.filter((candidate) => fitValue(candidate, schema) !== undefined));
  if (!found) {
    if (hasLabelOf(field, filling.facts)) filling.probabilities.set(dotted, labelledEmpty);
    return empty;
  }
  const isCertain = found.probability >= minProbability;
  filling.probabilities.set(dotted, isCertain ? found.probability : 1 - found.probability);
  if (!isCertain) return empty;
  filling.sources.set(dotted, found.line);
  return fitValue(found, schema);
}

function fillArray(schema: FieldSchema, path: readonly string[], filling: Filling): unknown {
  const { root, facts, sources, probabilities, excluded } = filling;
  const dotted = path.join('.');
  const item = resolveSchema(schema.items ?? {}, root);
  if (!item.properties || excluded.has(dotted)) return emptyValue(schema, root);
  const entries = Object.entries(item.properties).map(
    ([name, property]) => [name, resolveSchema(property, root)] as const,
  );
  const rows = readWantedRows(Object.fromEntries(entries), facts.context);
  if (rows.length === 0) return emptyValue(schema, root);
  return rows.map((row, index) => {
    const cells = entries.map(([name, property]) => {
      const reading = row.values.get(name);
      const at = `${dotted}.${index}.${name}`;
      const value = reading && !excluded.has(at) ? fitValue(reading, property) : undefined;
      if (value === undefined) return [name, emptyValue(property, root)];
      sources.set(at, row.line);
      probabilities.set(at, rowProbability(row.isConfirmed === true));
      return [name, value];
    });
    return Object.fromEntries(cells) as unknown;
  });
}

/** The value in a form that the schema accepts; undefined when no form of it is accepted. */
function fitValue(reading: Reading, schema: FieldSchema): unknown {
  const types = typesOf(schema);
  const { value, written } = reading;
  if (schema.enum)
    return schema.enum.find((option) => typeof option === 'string' && fold(option) === fold(String(value)));
  if (types.includes('boolean')) return yesOrNo(String(value));
  if (typeof value === 'number') {
    if (types.includes('number')) return value;
    if (types.includes('integer')) return Number.isInteger(value) ? value : undefined;
    return types.includes('string') ? fitText(written, schema) : undefined;
  }
  return types.includes('string') ? fitText(value, schema) : undefined;
}

function fitText(text: string, schema: FieldSchema): string | undefined {
  if (schema.pattern === undefined) return text;
  try {
    // In linear time: a pattern of one user must not block the process for all others.
    const pattern = RE2JS.compile(RE2JS.translateRegExp(schema.pattern));
    return [text, text.replaceAll(/\s/gu, '')].find((form) => pattern.test(form));
  } catch {
    // The check of the schema reports an invalid pattern.
    return text;
  }
}
