import { DomainError, type ResponseFormat, type SchemaCheck } from '@docwright/contract';
import { CheckError, parseCheck, type ParsedCheck } from '@docwright/review';

/**
 * The checks of a schema, ready to run. Throws `invalid_check`, whose details name the check and the position in its
 * expression, counted in characters from 0.
 */
export function parseChecks({ json_schema }: ResponseFormat, checks: readonly SchemaCheck[] = []): ParsedCheck[] {
  const seen = new Set<string>();
  return checks.map((check) => {
    if (seen.has(check.id))
      throw invalidCheck(check.id, 0, 'Another check has this id. Give each check an id of its own.');
    seen.add(check.id);
    try {
      return parseCheck(check, json_schema.schema);
    } catch (error) {
      if (error instanceof CheckError) throw invalidCheck(error.check, error.position, error.message);
      throw error;
    }
  });
}

function invalidCheck(check: string, position: number, message: string): DomainError {
  return new DomainError('invalid', 'invalid_check', `The check "${check}" is refused: ${message}`, {
    check,
    position,
  });
}
