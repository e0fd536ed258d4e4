import { amountConcepts, type Concept, dateConcepts, identifierConcepts, type ValueKind } from '@docwright/language';
import { wordsOf } from '../../page/fold.ts';
import { captionMeaning } from '../labels/known-captions.ts';
import { type FieldSchema, typesOf } from './json-schema.ts';

/** A scalar field of a schema. */
export interface Field {
  /** The property's name after the names of its objects, as folded words: `seller address`. */
  words: string;
  /** The property's own name as folded words. */
  ownWords: string;
  description: string;
  kind: ValueKind;
  concept: Concept | undefined;
  /** The meaning of the field as a caption of forms, see `captionMeaning`; undefined for other fields. */
  meaning: string | undefined;
  schema: FieldSchema;
}

const concepts: readonly Concept[] = [...dateConcepts, ...amountConcepts, ...identifierConcepts];

/** Reads the meaning of a field from its path, type and description. */
export function describeField(path: readonly string[], schema: FieldSchema): Field {
  const ownWords = wordsOf(path.at(-1) ?? '');
  const words = wordsOf(path.join(' '));
  const description = schema.description ?? '';
  const meaning =
    captionMeaning(ownWords) ??
    captionMeaning(words) ??
    captionMeaning(description) ??
    captionMeaning(schema.title ?? '');
  const kind = kindOf(schema, words, meaning);
  return {
    words,
    ownWords,
    description,
    kind,
    concept: conceptFor(words, ownWords, kind) ?? describedConcept(description, kind),
    meaning,
    schema,
  };
}

function conceptFor(words: string, ownWords: string, kind: ValueKind): Concept | undefined {
  const fits = (concept: Concept, name: string) =>
    concept.field.test(name) && (concept.kind === kind || kind === 'text' || concept.kind === 'identifier');
  return concepts.find((concept) => fits(concept, words)) ?? concepts.find((concept) => fits(concept, ownWords));
}

const maxNameLength = 40;

/** The concept that a description such as `The invoice's number` names. */
function describedConcept(description: string, kind: ValueKind): Concept | undefined {
  const words = wordsOf(description.split(/[.;,(]/u)[0] ?? '')
    .replaceAll(/(?:^| )(?:the|a|an|of|s)(?= |$)/gu, '')
    .trim();
  return words === '' || words.length > maxNameLength ? undefined : conceptFor(words, words, kind);
}

/** The form of a field's value, by its type, format, name and description. */
function kindOf(schema: FieldSchema, words: string, meaning: string | undefined): ValueKind {
  const types = typesOf(schema);
  if (types.includes('number') || types.includes('integer')) return 'amount';
  if (schema.format === 'date' || schema.format === 'date-time') return 'date';
  const description = (schema.description ?? '').toLowerCase();
  if (
    meaning === 'date_of_birth' ||
    meaning === 'start_date' ||
    /(?:^| )(?:date|datum|fecha|data|dob|datums?|\p{L}+datum)(?: |$)/u.test(words) ||
    /yyyy-mm-dd|iso 8601/u.test(description)
  )
    return 'date';
  if (meaning !== undefined) return 'text';
  if (/(?:^| )(?:number|no|nr|id|code|ssn|ein|reference|zip|sku|nummer|identifier)$/u.test(words)) return 'identifier';
  return 'text';
}
