import {
  DomainError,
  jsonBytes,
  type Extraction,
  type ResponseFormat,
  type Schema,
  type ValidationError,
} from '@docwright/contract';
import type { DataValidator } from '../../schemas/index.ts';
import { isAtOrBelow, withValueAt } from './field-path.ts';

/** Of an edited result as JSON, where the model's own is smaller: results come back in lists, with the place of each value. */
const maxResultBytes = 1024 * 1024;
/** What edits can add to a result that the model made larger than that. */
const roomForEdits = 64 * 1024;

type ResultValidator = (result: unknown) => ValidationError[];

/** What a result has to be: what the schema says, or any JSON object where the prompt has none. */
export function resultValidator(validateData: DataValidator, schema: Schema | undefined): ResultValidator {
  if (schema) return (result) => validateData(schema, result).errors;
  return (result) =>
    typeof result === 'object' && result !== null && !Array.isArray(result)
      ? []
      : [{ path: '', message: 'must be a JSON object' }];
}

/** As `resultValidator`, for any response format. */
export function formatValidator(
  validateData: DataValidator,
): (format: ResponseFormat | undefined, result: unknown) => ValidationError[] {
  return (response_format, result) =>
    resultValidator(
      (_schema, data) => validateData({ schema_revid: 'format', response_format: response_format! }, data),
      response_format && ({ response_format } as Schema),
    )(result);
}

/**
 * The result with one field set. Errors elsewhere may stay as they were; one in the field's place, or a new one, is
 * `invalid_value`. A field that was not there needs a schema that has it.
 */
export function editedResult(
  extraction: Pick<Extraction, 'result' | 'original_result' | 'validation_errors' | 'schema_revid'>,
  change: { path: string; value: unknown },
  validate: ResultValidator,
): Pick<Extraction, 'result' | 'validation_errors'> {
  const { path, value } = change;
  const { result, isNew } = withValueAt(extraction.result, path, value);
  if (isNew && extraction.schema_revid === undefined) {
    throw new DomainError('invalid', 'unknown_path', `There is no field "${path}", and no schema that has one.`);
  }
  const bytes = jsonBytes(result);
  const maxBytes =
    bytes <= maxResultBytes
      ? maxResultBytes
      : Math.max(maxResultBytes, jsonBytes(extraction.original_result) + roomForEdits);
  if (bytes > maxBytes) {
    const message = `With this value the result is larger than ${Math.floor(maxBytes / 1024)} kB of JSON. Set a shorter one.`;
    throw new DomainError('too_large', 'result_too_large', message);
  }
  const validation_errors = validate(result);
  requireValid(path, validation_errors, extraction.validation_errors);
  return { result, validation_errors };
}

function requireValid(path: string, errors: ValidationError[], before: ValidationError[]): void {
  const known = new Set(before.map((error) => `${error.path}\n${error.message}`));
  const caused = errors.filter(
    (error) => isAtOrBelow(error.path, path) || !known.has(`${error.path}\n${error.message}`),
  );
  if (caused.length === 0) return;
  const told = caused.slice(0, 10).map((error) => `${error.path || 'the result'} ${error.message}`);
  throw new DomainError('invalid', 'invalid_value', `The schema refuses the value: ${told.join('; ')}.`, caused);
}
