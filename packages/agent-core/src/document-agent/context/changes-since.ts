import { DomainError, withExactNumbers, type WorkingState } from '@docwright/contract';
import { defuseName } from './document-block.ts';
import { changesBetween } from './extraction-context.ts';
import { undefinedOnDomainError } from '../../tool/undefined-on-domain-error.ts';
import type { DocumentAgentServices } from './services.ts';

const maxValues = 20;

/**
 * Lines about changes by others since the conversation last used the objects: values of the result, the prompt and its
 * schema. Empty if nothing changed.
 */
export async function changesSince(
  services: Pick<DocumentAgentServices, 'document' | 'extractions' | 'prompts' | 'schemas'>,
  { prompt_revid, schema_revid, extraction }: WorkingState,
): Promise<string[]> {
  const lines = await Promise.all([
    resultLine(services, extraction),
    prompt_revid === null ? undefined : deletedLineIfMissing('prompt', promptLine(services, prompt_revid)),
    schema_revid === null ? undefined : deletedLineIfMissing('schema', schemaLine(services, schema_revid)),
  ]);
  const changes = lines.filter((line) => line !== undefined);
  return changes.length === 0 ? [] : [`Changed by others since:\n${changes.map((line) => `- ${line}`).join('\n')}`];
}

type Services = Parameters<typeof changesSince>[0];

interface KnownResult {
  prompt_revid?: string;
  version?: number;
  result?: unknown;
}

/** The latest result, if others have changed it since the conversation last used it. */
export async function changedResult(
  { document, extractions }: Pick<Services, 'document' | 'extractions'>,
  extraction: unknown,
) {
  const { prompt_revid, version } = (extraction ?? {}) as KnownResult;
  if (prompt_revid === undefined || version === undefined) return undefined;
  const latest = await undefinedOnDomainError(() => extractions.latest(document.id, prompt_revid));
  return latest === undefined || latest.version <= version ? undefined : latest;
}

async function resultLine(services: Services, extraction: unknown): Promise<string | undefined> {
  const latest = await changedResult(services, extraction);
  if (latest === undefined) return undefined;
  const { result } = extraction as KnownResult;
  const changes = changesBetween(result, withExactNumbers(latest));
  const shown = changes
    .slice(0, maxValues)
    .map(({ path, before, after }) => `${path}: ${JSON.stringify(before)} is now ${JSON.stringify(after)}`);
  const more = changes.length > maxValues ? ` and ${changes.length - maxValues} more` : '';
  const verified = latest.is_verified ? ', verified by a person' : '';
  return `the result is at version ${latest.version}${verified} (data): ${shown.length === 0 ? 'no value differs' : `${shown.join('; ')}${more}`}. get_extraction_result reads it.`;
}

async function promptLine({ prompts }: Services, prompt_revid: string): Promise<string | undefined> {
  const { prompt_id } = await prompts.get(prompt_revid);
  const current = await prompts.getCurrent(prompt_id);
  if (current.prompt_revid === prompt_revid) return undefined;
  return `the prompt "${defuseName(current.name)}" is at version ${current.prompt_version} (prompt_revid ${current.prompt_revid}).`;
}

async function schemaLine({ schemas }: Services, schema_revid: string): Promise<string | undefined> {
  const { schema_id } = await schemas.get(schema_revid);
  const current = await schemas.getCurrent(schema_id);
  if (current.schema_revid === schema_revid) return undefined;
  return `the schema "${defuseName(current.name)}" is at version ${current.schema_version} (schema_revid ${current.schema_revid}).`;
}

async function deletedLineIfMissing(kind: string, line: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await line;
  } catch (error) {
    if (error instanceof DomainError) return `the ${kind} was deleted.`;
    throw error;
  }
}
