import { wordsOf } from '../page/fold.ts';
import type { Concept, ValueKind } from './concept.ts';
import { amountConcepts } from './concepts-amounts.ts';
import { dateConcepts } from './concepts-dates.ts';
import { identifierConcepts } from './concepts-identifiers.ts';
import { type JsonSchema, typesOf } from './json-schema.ts';

/** A scalar field of a schema. */
export interface Field {
  /** The property's name as folded words, with its object's name before it: `seller address`. */
  words: string;
  /** The property's own name as folded words. */
  ownWords: string;
  description: string;
  kind: ValueKind;
  concept: Concept | undefined;
  schema: JsonSchema;
}

const concepts: readonly Concept[] = [...dateConcepts, ...amountConcepts, ...identifierConcepts];

export function describeField(path: readonly string[], schema: JsonSchema): Field {
  const ownWords = wordsOf(path.at(-1) ?? '');
  const words = wordsOf(path.join(' '));
  const kind = kindOf(schema, words);
  return {
    words,
    ownWords,
    description: schema.description ?? '',
    kind,
    concept: conceptFor(words, ownWords, kind),
    schema,
  };
}

function conceptFor(words: string, ownWords: string, kind: ValueKind): Concept | undefined {
  const fits = (concept: Concept, name: string) =>
    concept.field.test(name) && (concept.kind === kind || kind === 'text' || concept.kind === 'identifier');
  return concepts.find((concept) => fits(concept, words)) ?? concepts.find((concept) => fits(concept, ownWords));
}

/** The form of a field's value, by its type, format, name and description. */
function kindOf(schema: JsonSchema, words: string): ValueKind {
  const types = typesOf(schema);
  if (types.includes('number') || types.includes('integer')) return 'amount';
  if (schema.format === 'date' || schema.format === 'date-time') return 'date';
  const description = (schema.description ?? '').toLowerCase();
  if (/(?:^| )(?:date|datum|fecha|dob)(?: |$)/u.test(words) || /yyyy-mm-dd|iso 8601/u.test(description)) return 'date';
  if (/(?:^| )(?:number|no|nr|id|code|ssn|ein|reference|zip|sku|nummer|identifier)$/u.test(words)) return 'identifier';
  return 'text';
}
