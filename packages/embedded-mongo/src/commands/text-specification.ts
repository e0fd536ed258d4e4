import { languageNamed } from '@docwright/language';
import { isNumber, type BsonDocument, type BsonValue } from '../bson/value.ts';
import { toNumber } from '../bson/number.ts';
import { MongoError, notImplemented } from '../errors.ts';

interface TextOptions {
  name?: string | undefined;
  weights?: BsonDocument | undefined;
  default_language?: string | undefined;
  language_override?: string | undefined;
  unique?: boolean | undefined;
  sparse?: boolean | undefined;
  partialFilterExpression?: BsonDocument | undefined;
  expireAfterSeconds?: BsonValue | undefined;
}

export const isTextSpecification = (specification: BsonDocument): boolean => specification.has('textIndexVersion');

/** The specification of a text index in MongoDB's stored form. Throws for options that this server does not support. */
export function textSpecification(key: BsonDocument, options: TextOptions): BsonDocument {
  const { weights, default_language = 'english', language_override = 'language' } = options;
  if (![...key.values()].every((value) => value === 'text') || key.has('$**')) {
    throw cannotCreate('A text index of this server has text fields only, each by its name');
  }
  if (languageNamed(default_language) === undefined) {
    throw cannotCreate(`default_language is not valid: unsupported language: "${default_language}"`);
  }
  if (language_override.includes('.') || language_override.startsWith('$') || language_override === '') {
    throw cannotCreate('language_override is not valid: this server takes the name of a field of the document itself');
  }
  const { unique, sparse, partialFilterExpression, expireAfterSeconds } = options;
  if (unique || sparse || partialFilterExpression !== undefined || expireAfterSeconds !== undefined) {
    throw cannotCreate(
      'A text index of this server is neither unique nor sparse nor partial, and makes nothing expire',
    );
  }
  const weighed = [...(weights ?? [])].some(([, weight]) => !isNumber(weight) || toNumber(weight) !== 1);
  if (weighed) throw notImplemented('weights other than 1 are not supported by this server');
  return new Map<string, BsonValue>([
    ['v', 2],
    [
      'key',
      new Map<string, BsonValue>([
        ['_fts', 'text'],
        ['_ftsx', 1],
      ]),
    ],
    ['name', options.name ?? [...key.keys()].map((path) => `${path}_text`).join('_')],
    ['weights', new Map<string, BsonValue>([...key.keys()].map((path) => [path, 1]))],
    ['default_language', default_language],
    ['language_override', language_override],
    ['textIndexVersion', 3],
  ]);
}

const cannotCreate = (message: string): MongoError => new MongoError(67, 'CannotCreateIndex', message);
