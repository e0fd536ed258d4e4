import type { ResponseFormat, ValidationAnswer } from '@docwright/contract';
import { exceedsExtent } from './json-extent.ts';
import { compileSchema, readableErrors } from './schema-compiler.ts';

const maxData = { depth: 100, values: 100_000 };

interface SchemaRevision {
  schema_revid: string;
  response_format: ResponseFormat;
}

/** Checks data against a revision of a schema; errors have dotted paths with indexes. */
export type DataValidator = (revision: SchemaRevision, data: unknown) => ValidationAnswer;

export function createDataValidator(): DataValidator {
  return (revision, data) => {
    if (exceedsExtent(data, maxData)) {
      const message = `is nested deeper than ${maxData.depth} levels or has more than ${maxData.values} values`;
      return { valid: false, errors: [{ path: '', message }] };
    }
    const validate = compileSchema(revision.response_format.json_schema.schema);
    const valid = validate(data);
    return { valid, errors: valid ? [] : readableErrors(validate.errors) };
  };
}
