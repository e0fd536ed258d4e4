import {
  DomainError,
  type Prompt,
  type ResponseFormat,
  type Schema,
  type SchemaCheck,
  type ValidationAnswer,
  type createSchemaBody,
  type updateSchemaBody,
} from '@docwright/contract';
import type { z } from 'zod';
import { declareWrites, type AuditWrites } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { Revision } from '../revisions/index.ts';
import type { WriteOrigin } from '../../turn-writes/write-origin.ts';
import type { DataValidator } from './data-validator.ts';
import { checkResponseFormat } from './response-format-rules.ts';
import type { SchemaContent, SchemaRepository } from './schema-repository.ts';
import { CheckError, parseCheck, runChecks, type ParsedCheck } from '@docwright/review';
import type { PageSelection } from '../../platform/database/page.ts';
import { requireSeen } from '../../platform/records/seen-edit.ts';

interface SchemaServiceDependencies {
  auditWrites: AuditWrites;
  schemasOf: (organizationId: string) => SchemaRepository;
  /** Prompts whose current revision uses the schema. */
  promptsUsing: (organizationId: string, schemaId: string) => Promise<Pick<Prompt, 'name'>[]>;
  validateData: DataValidator;
}

/** The schemas of one organization, with the rights of one user. Throws `schema_not_found` for an unknown id. */
export type SchemaService = ReturnType<typeof schemaServiceFor>;

const writes = declareWrites<SchemaService>({
  create: { tool: 'create_schema', takes: ['...', 'origin'] },
  update: { tool: 'update_schema', takes: ['schema_id', '...', 'origin'] },
  delete: { tool: 'delete_schema', takes: ['schema_id', 'origin'] },
});

export function createSchemaService(dependencies: SchemaServiceDependencies): (actor: Actor) => SchemaService {
  return dependencies.auditWrites(writes, (actor) => schemaServiceFor(actor, dependencies));
}

function schemaServiceFor(actor: Actor, { schemasOf, promptsUsing, validateData }: SchemaServiceDependencies) {
  const repository = schemasOf(actor.organizationId);
  const get = async (schema_revid: string) => presentSchema(foundOrThrow(await repository.get(schema_revid)));
  return {
    get,
    async getCurrent(schema_id: string) {
      return presentSchema(foundOrThrow(await repository.getCurrent(schema_id)));
    },
    async list(query: PageSelection & { name_search?: string | undefined; review?: 'pending' | undefined }) {
      const { revisions, ...counted } = await repository.list(query);
      return { schemas: revisions.map(presentSchema), ...counted, skip: query.skip, limit: query.limit };
    },
    async versions(schema_id: string, page: PageSelection) {
      const { revisions, ...end } = foundOrThrow(await repository.versions(schema_id, page));
      return { schemas: revisions.map(presentSchema), ...end, skip: page.skip, limit: page.limit };
    },
    async create({ name, response_format, checks }: z.infer<typeof createSchemaBody>, origin?: WriteOrigin) {
      const earlier = await repository.applied(origin);
      if (earlier) return presentSchema(earlier);
      requireUsable(response_format);
      parseChecks(response_format, checks);
      const content = contentOf(response_format, checks);
      const created_by = actor.userId;
      return presentSchema(await repository.create({ name, content, created_by, origin }));
    },
    async update(
      schema_id: string,
      { seen, name, response_format, checks, base_version }: z.infer<typeof updateSchemaBody>,
      origin?: WriteOrigin,
    ) {
      const earlier = await repository.applied(origin);
      if (earlier) return presentSchema(earlier);
      if (response_format) requireUsable(response_format);
      const next = (current: SchemaContent) => {
        const format = response_format ?? formatOf(current);
        const nextChecks = checks ?? current.checks;
        // Unchanged checks must match the new fields too.
        parseChecks(format, nextChecks);
        return contentOf(format, nextChecks);
      };
      const requireAsSeen =
        seen && ((present: Revision<SchemaContent>) => requireSeen('schema', seen, presentSchema(present)));
      const change = { name, next, created_by: actor.userId, origin, base_version, requireSeen: requireAsSeen };
      return presentSchema(foundOrThrow(await repository.update(schema_id, change)));
    },
    /** Throws `schema_in_use` while a current prompt uses the schema. */
    async delete(schema_id: string, origin?: WriteOrigin) {
      const users = await promptsUsing(actor.organizationId, schema_id);
      if (users.length > 0) {
        const names = users.map((prompt) => `"${prompt.name}"`).join(', ');
        throw new DomainError(
          'invalid',
          'schema_in_use',
          `The schema is in use by the prompts ${names}. Give them another schema or delete them first.`,
        );
      }
      foundOrThrow((await repository.remove(schema_id, origin)) || undefined);
    },
    /** Of invalid checks, only the first is reported. */
    checkFormat(format: unknown, checks?: readonly SchemaCheck[]) {
      const answer = checkResponseFormat(format);
      if (!answer.valid || checks === undefined) return answer;
      return checkChecks(format as ResponseFormat, checks);
    },
    async checkData(schema_revid: string, data: unknown) {
      const schema = await get(schema_revid);
      const { failed } = runChecks(parseChecks(schema.response_format, schema.checks), data);
      const failed_checks = failed.map((check) => ({ ...check, fields: [...check.fields] }));
      return { ...validateData(schema, data), failed_checks };
    },
  };
}

function requireUsable(format: ResponseFormat): void {
  const { valid, errors } = checkResponseFormat(format);
  if (valid) return;
  const lines = errors.slice(0, 10).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new DomainError('invalid', 'invalid_schema', lines.join('\n'), errors);
}

function checkChecks(format: ResponseFormat, checks: readonly SchemaCheck[]): ValidationAnswer {
  try {
    parseChecks(format, checks);
    return { valid: true, errors: [] };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { check } = error.details as { check: string };
    return { valid: false, errors: [{ path: `checks.${check}`, message: error.message }] };
  }
}

/** The order of the fields is fixed: equal content is recognised by its JSON. */
function contentOf({ type, json_schema }: ResponseFormat, checks: SchemaCheck[] | undefined): SchemaContent {
  const format = { type, json_schema };
  if (checks === undefined || checks.length === 0) return format;
  return {
    ...format,
    checks: checks.map(({ id, expression, message, severity }) => ({ id, expression, message, severity })),
  };
}

function formatOf({ type, json_schema }: SchemaContent): ResponseFormat {
  return { type, json_schema };
}

function foundOrThrow<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new DomainError('not_found', 'schema_not_found', 'There is no such schema.');
  return value;
}

function presentSchema(revision: Revision<SchemaContent>): Schema {
  return {
    schema_id: revision.artifact_id,
    schema_revid: revision.revid,
    schema_version: revision.version,
    name: revision.name,
    response_format: formatOf(revision.content),
    ...(revision.content.checks && { checks: revision.content.checks }),
    ...(revision.review === undefined ? {} : { auto_created: true as const, review: revision.review }),
    created_at: revision.created_at,
    created_by: revision.created_by,
  };
}

/**
 * The checks of a schema, ready to run. Throws `invalid_check`, whose details name the check and the position in its
 * expression, counted in characters from 0.
 */
export function parseChecks({ json_schema }: ResponseFormat, checks: readonly SchemaCheck[] = []): ParsedCheck[] {
  const seen = new Set<string>();
  return checks.map((check) => {
    if (seen.has(check.id)) throw invalidCheck(check.id, 0, 'Another check has this id. Give each check its own id.');
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
  return new DomainError('invalid', 'invalid_check', `The check "${check}" is invalid: ${message}`, {
    check,
    position,
  });
}
