import { createHash } from 'node:crypto';
import {
  DomainError,
  type EvaluationCandidate,
  type Prompt,
  type ResponseFormat,
  type Schema,
} from '@docwright/contract';
import type { TruthReference } from '../extractions/index.ts';
import type { ModelService } from '../llm/index.ts';
import type { SchemaService } from '../schemas/index.ts';
import type { MeasuredSetup } from './records/evaluation-model.ts';

/** A resolved change to a prompt: the current setup of its requests, and the changed one. */
export interface CandidateChange {
  prompt: Prompt;
  before: MeasuredSetup;
  after: MeasuredSetup;
}

export interface ChangeDependencies {
  schemas: Pick<SchemaService, 'get' | 'getCurrent' | 'checkFormat'>;
  models: Pick<ModelService, 'resolveModel'>;
}

/** Resolves a candidate. Throws `unknown_reference`, `invalid_schema` or `model_not_enabled` for invalid parts. */
export async function changeOf(
  prompt: Prompt,
  candidate: EvaluationCandidate,
  { schemas, models }: ChangeDependencies,
): Promise<CandidateChange> {
  const schema = prompt.schema_revid === undefined ? undefined : await schemas.get(prompt.schema_revid);
  const before: MeasuredSetup = {
    content: prompt.content,
    ...schemaFields(schema),
    model: await models.resolveModel(prompt.model),
    examples: prompt.examples?.count ?? 0,
  };
  const { schema_revid, response_format } = before;
  const after: MeasuredSetup = {
    content: candidate.content ?? before.content,
    ...(await candidateSchema(candidate, schemas, { schema_revid, response_format })),
    model: candidate.model === undefined ? before.model : await models.resolveModel(candidate.model),
    examples: candidate.examples?.count ?? before.examples,
  };
  return { prompt, before, after };
}

type SchemaFields = Pick<MeasuredSetup, 'schema_revid' | 'response_format'>;

const schemaFields = (schema: Schema | undefined): SchemaFields =>
  schema === undefined ? {} : { schema_revid: schema.schema_revid, response_format: schema.response_format };

async function candidateSchema(
  { schema_id, response_format }: EvaluationCandidate,
  schemas: ChangeDependencies['schemas'],
  current: SchemaFields,
): Promise<SchemaFields> {
  if (response_format) {
    const { valid, errors } = schemas.checkFormat(response_format);
    if (valid) return { response_format };
    const reasons = errors.slice(0, 10).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    throw new DomainError('invalid', 'invalid_schema', reasons.join('\n'), errors);
  }
  if (schema_id === undefined) return current;
  return await schemas.getCurrent(schema_id).then(schemaFields, (error: unknown) => {
    if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
    throw new DomainError(
      'invalid',
      'unknown_reference',
      'There is no such schema. Use a schema_id from the list of schemas.',
    );
  });
}

/**
 * A digest of everything that a measurement depends on: the changed setup, the revision it replaces, the verified
 * results, and the arguments of the measured call. An evaluation is valid while its seal does not change.
 */
export function sealOf(
  { prompt, after }: CandidateChange,
  truth: readonly Pick<TruthReference, 'document_id' | 'prompt_revid' | 'version'>[],
  callArguments?: unknown,
): string {
  const { content, response_format, model, examples } = after;
  const results = truth.map(({ document_id, prompt_revid, version }) => `${document_id} ${prompt_revid} ${version}`);
  const sealed = {
    prompt_revid: prompt.prompt_revid,
    content,
    schema: response_format?.json_schema satisfies ResponseFormat['json_schema'] | undefined,
    model,
    examples,
    truth: results.toSorted(),
    arguments: callArguments,
  };
  return createHash('sha256').update(canonical(sealed)).digest('hex');
}

/** JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
