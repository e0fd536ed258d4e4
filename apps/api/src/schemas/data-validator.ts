import type { ValidateFunction } from 'ajv';
import { LruMap } from 'toad-cache';
import type { ResponseFormat, ValidationAnswer } from '@docwright/contract';
import { isDeeperThan } from './json-depth.ts';
import { compileSchema, readableErrors } from './schema-compiler.ts';

const deepestData = 100;
const mostCompiled = 200;

export interface SchemaRevision {
  schema_revid: string;
  response_format: ResponseFormat;
}

/** Checks data against a schema's revision; errors carry dotted paths with indexes. */
export type DataValidator = (revision: SchemaRevision, data: unknown) => ValidationAnswer;

/** Compiled schemas are kept for the revisions used last; a revision never changes, so none goes stale. */
export function createDataValidator(): DataValidator {
  const compiled = new LruMap<ValidateFunction>(mostCompiled);
  return (revision, data) => {
    if (isDeeperThan(data, deepestData)) {
      return { valid: false, errors: [{ path: '', message: `is nested deeper than ${deepestData} levels` }] };
    }
    let validate = compiled.get(revision.schema_revid);
    if (!validate) {
      validate = compileSchema(revision.response_format.json_schema.schema);
      compiled.set(revision.schema_revid, validate);
    }
    const valid = validate(data);
    return { valid, errors: valid ? [] : readableErrors(validate.errors) };
  };
}
