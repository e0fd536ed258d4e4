import {
  DomainError,
  textsOfRoundedNumbers,
  type Extraction,
  type ResponseFormat,
  type Schema,
  type ValidationError,
} from '@docwright/contract';
import type { DataValidator } from '../../schemas/index.ts';
import { valueAtPath } from '../../value-risk/index.ts';
import { nextTurn } from '../../../platform/long-values/in-turns.ts';
import { isLongValue, longJsonBytes } from '../../../platform/long-values/long-json.ts';
import { isAtOrBelow, withValueAt } from './field-path.ts';

/** The limit of an edited result as JSON, unless the model's own is larger: lists return whole results with the places. */
const maxResultBytes = 1024 * 1024;
/** How much edits can add to a result that the model made larger than that. */
const roomForEdits = 64 * 1024;

export type ResultValidator = (result: unknown) => ValidationError[];

/** Validates results against the schema. Without a schema, any JSON object is valid. */
export function resultValidator(validateData: DataValidator, schema: Schema | undefined): ResultValidator {
  if (schema) return (result) => validateData(schema, result).errors;
  return (result) =>
    typeof result === 'object' && result !== null && !Array.isArray(result)
      ? []
      : [{ path: '', message: 'must be a JSON object' }];
}

/** Like `resultValidator`, for a response format without a stored schema. */
export function formatValidator(
  validateData: DataValidator,
): (format: ResponseFormat | undefined, result: unknown) => ValidationError[] {
  return (response_format, result) =>
    resultValidator(
      (_schema, data) => validateData({ schema_revid: 'format', response_format: response_format! }, data),
      response_format && ({ response_format } as Schema),
    )(result);
}

export interface ExactEdit extends Pick<Extraction, 'result' | 'validation_errors'> {
  /** By path, the digits of numbers that `result` had to round. */
  raw?: Record<string, string>;
}

/**
 * Sets one field of a result. A text that is a number which JavaScript would round becomes that number where the schema takes
 * no text: `raw` has its digits. Throws `invalid_value` for an error at the field or a new error elsewhere; known errors
 * elsewhere can remain. A new field needs a schema that defines it. Other work has its turn meanwhile.
 */
export async function editResult(
  extraction: Pick<Extraction, 'result' | 'original_result' | 'validation_errors' | 'schema_revid'>,
  change: { path: string; value: unknown },
  validate: ResultValidator,
): Promise<ExactEdit> {
  const { path, value } = change;
  const given = withValueAt(extraction.result, path, value);
  const { isNew } = given;
  let { result } = given;
  if (isNew && extraction.schema_revid === undefined) {
    throw new DomainError('invalid', 'unknown_path', `There is no field "${path}", and no schema that has one.`);
  }
  await requireRoomFor(extraction, change, result);
  // A result of thousands of rows is validated in one step.
  if (isLongValue(result)) await nextTurn();
  let validation_errors = validate(result);
  const texts = textsOfRoundedNumbers(value, path);
  const refused = new Map(
    validation_errors.flatMap((error) => {
      const digits = texts.get(error.path);
      return digits === undefined ? [] : [[error.path, digits]];
    }),
  );
  if (refused.size > 0) {
    for (const [at, digits] of refused) ({ result } = withValueAt(result, at, Number(digits)));
    validation_errors = validate(result);
  }
  requireValid(path, validation_errors, extraction.validation_errors);
  return { result, validation_errors, ...(refused.size > 0 && { raw: Object.fromEntries(refused) }) };
}

async function requireRoomFor(
  { result: before, original_result }: Pick<Extraction, 'result' | 'original_result'>,
  { path, value }: { path: string; value: unknown },
  result: unknown,
): Promise<void> {
  const former = valueAtPath(before, path);
  // A new member has a name and a comma, too.
  const more = former === undefined ? path.length : -(await sizeOf(former));
  const bytes = (await sizeOf(before)) + (await sizeOf(value)) + more;
  sizes.set(result as object, bytes);
  if (bytes <= maxResultBytes) return;
  const maxBytes = Math.max(maxResultBytes, (await sizeOf(original_result)) + roomForEdits);
  if (bytes <= maxBytes) return;
  const message = `With this value the result exceeds ${Math.floor(maxBytes / 1024)} kB of JSON. Set a shorter value.`;
  throw new DomainError('too_large', 'result_too_large', message);
}

/** Bytes as JSON of results and their parts, which nothing changes in place. Each of several corrections would count them again. */
const sizes = new WeakMap<object, number>();

async function sizeOf(value: unknown): Promise<number> {
  if (typeof value !== 'object' || value === null) return await longJsonBytes(value ?? null);
  const bytes = sizes.get(value) ?? (await longJsonBytes(value));
  sizes.set(value, bytes);
  return bytes;
}

function requireValid(path: string, errors: ValidationError[], before: ValidationError[]): void {
  const known = new Set(before.map((error) => `${error.path}\n${error.message}`));
  const caused = errors.filter(
    (error) => isAtOrBelow(error.path, path) || !known.has(`${error.path}\n${error.message}`),
  );
  if (caused.length === 0) return;
  const reasons = caused.slice(0, 10).map((error) => `${error.path || 'the result'} ${error.message}`);
  throw new DomainError('invalid', 'invalid_value', `The schema refuses the value: ${reasons.join('; ')}.`, caused);
}
