import { createHash } from 'node:crypto';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { LruMap } from 'toad-cache';
import type { ValidationError } from '@docwright/contract';
import { joinPath, pathOfPointer } from './dotted-path.ts';
import { compileLinearPattern } from './linear-pattern.ts';
import type { SchemaObject } from './schema-nodes.ts';

const maxErrors = 100;

const draft7 = createAjv({ validateSchema: true });

function createAjv(options: { validateSchema: boolean }): Ajv {
  const ajv = new Ajv({
    ...options,
    allErrors: true,
    strict: false,
    ownProperties: true,
    addUsedSchema: false,
    logger: false,
    code: { regExp: Object.assign(compileLinearPattern, { code: 'compileLinearPattern' }) },
  });
  ajvFormats.default(ajv);
  // Ajv's own keyword compares every pair of objects, which takes minutes for a long list.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: unknown[]) =>
      !isUnique || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must not have the same item twice' },
  });
  return ajv;
}

/** The same text for equal values with any order of properties. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The last compiled schemas, by digest: an agent checks a schema, creates it and extracts with it in succession. */
const compiled = new LruMap<ValidateFunction>(200);

/**
 * Compiles a valid draft 7 schema, with formats. Throws the errors of Ajv. Each schema has its own Ajv instance, because
 * an instance never frees the schemas that it has compiled.
 */
export function compileSchema(schema: SchemaObject): ValidateFunction {
  const key = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  const known = compiled.get(key);
  if (known) return known;
  const validate = createAjv({ validateSchema: false }).compile(schema);
  compiled.set(key, validate);
  return validate;
}

/** The violations of draft 7; empty for a valid schema. */
export function errorsAgainstDraft7(schema: SchemaObject): ValidationError[] {
  if (draft7.validateSchema(schema) === true) return [];
  return readableErrors(draft7.errors);
}

/** Ajv's errors with dotted paths that include the wrong property, at most 100. */
export function readableErrors(errors: ErrorObject[] | null | undefined): ValidationError[] {
  return (errors ?? []).slice(0, maxErrors).map(readableError);
}

function readableError(error: ErrorObject): ValidationError {
  const path = pathOfPointer(error.instancePath);
  const parameters = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return { path: joinPath(path, String(parameters['missingProperty'])), message: 'is required but missing' };
    case 'additionalProperties':
      return {
        path: joinPath(path, String(parameters['additionalProperty'])),
        message: 'is not a property of the schema',
      };
    case 'enum':
      return { path, message: `must be one of ${JSON.stringify(parameters['allowedValues'])}` };
    case 'const':
      return { path, message: `must be ${JSON.stringify(parameters['allowedValue'])}` };
    default:
      return { path, message: error.message ?? `breaks the rule "${error.keyword}"` };
  }
}
