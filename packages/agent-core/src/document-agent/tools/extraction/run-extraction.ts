import {
  DomainError,
  replaceLevel,
  type Extraction,
  type Prompt,
  type ReplaceLevel,
  type Preview,
} from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { undefinedOnDomainError } from '../../../tool/undefined-on-domain-error.ts';
import {
  extractionContent,
  extractionForModel,
  extractionForState,
  resultOf,
  shortenLongLists,
} from '../../context/extraction-context.ts';
import { boundedResult } from '../../context/bounded-result.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter } from '../shared/parameters.ts';
import { schemaWithoutPrompt } from '../shared/schema-prompts.ts';
import { extractionState, promptState } from '../shared/object-states.ts';

const maxValues = 50;

/** A preview of the reviewed result that a new extraction would replace, with the edited values. */
function replacePreview({
  version,
  is_verified,
  is_edited,
  result,
  original_result,
}: Extraction): Extract<Preview, { kind: 'replace' }> {
  const [now, original] = [leavesOf(result), leavesOf(original_result)];
  const paths = [...new Set([...now.keys(), ...original.keys()])];
  const edited = paths.filter((path) => !Object.is(now.get(path) ?? null, original.get(path) ?? null));
  return {
    kind: 'replace',
    version,
    is_verified,
    is_edited,
    value_count: now.size,
    edited_count: edited.length,
    edited_values: edited.slice(0, maxValues).map((path) => ({
      path,
      original_value: shortenLongLists(original.get(path) ?? null, 1, 2000),
      edited_value: shortenLongLists(now.get(path) ?? null, 1, 2000),
    })),
  };
}

/** The scalar values by dotted path. */
function leavesOf(result: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const open: [path: string, value: unknown][] = [['', result]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, value] = entry;
    if (typeof value !== 'object' || value === null) leaves.set(path, value);
    else open.push(...Object.entries(value).map(([key, child]): [string, unknown] => [join(path, key), child]));
  }
  return leaves;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

type Services = Pick<DocumentAgentServices, 'document' | 'prompts' | 'schemas' | 'extractions'>;

export const runExtraction = defineTool({
  name: 'run_extraction',
  description:
    'Extracts values from this document with a prompt and stores them. Without prompt_revid, uses the prompt that was created or changed last, including earlier in this answer. Returns the values (of a long list the first and last rows), values that are not on the page (not_found) or in several places (ambiguous), values that break the schema or a check (issues), missing rows or pages (incomplete) and what changed.',
  effect: 'write',
  documentContent: extractionContent,
  target: 'subject',
  argumentRoles: { prompt_revid: 'reference', replace: 'setting' },
  worksOnDocument: true,
  parameters: z.object({
    prompt_revid: idParameter('The prompt revision (prompt_revid, not prompt_id) to extract with.').optional(),
    replace: replaceLevel
      .optional()
      .describe(
        'Which reviewed results the new one can replace: none ("unreviewed", the default), those that a person edited ("edited"), or verified ones too ("verified"). The person is asked first.',
      ),
  }),
  summarize: () => 'Run the extraction on this document',
  // An unknown prompt fails in any case: no user is asked about it.
  check: async ({ services }: ToolContext<Services>, { prompt_revid }) => {
    if (prompt_revid !== undefined) await services.prompts.get(prompt_revid);
  },
  guard: {
    argument: 'replace',
    reason: async (context: ToolContext<Services>, args) => {
      const current = await currentResult(context, args);
      if (!isReviewed(current)) return undefined;
      return current.is_verified ? 'result_verified' : 'result_edited';
    },
  },
  preview: async (context: ToolContext<Services>, args) => {
    const current = await currentResult(context, args);
    const cost = await costOf(context, args);
    if (isReviewed(current)) return { ...replacePreview(current), ...(cost && { cost: cost.message }) };
    return cost;
  },
  baseline: async ({ services, workingState }: ToolContext<Services>, args) => {
    const { document, prompts, extractions } = services;
    const prompt = await promptToRun(services, args.prompt_revid ?? workingState.get().prompt_revid ?? undefined);
    const extraction = await extractions.latest(document.id, prompt.prompt_revid);
    return [
      extractionState(document, prompt.prompt_revid, extraction),
      promptState(await prompts.getCurrent(prompt.prompt_id)),
    ];
  },
  execute: async (context: ToolContext<Services>, args) => {
    const { services, workingState, origin, signal } = context;
    const extraction = await services.extractions.run(
      services.document.id,
      args.prompt_revid ?? workingState.get().prompt_revid ?? undefined,
      origin,
      signal,
      context.isApproved === true ? (args.replace ?? (await reviewedLevel(context, args))) : 'unreviewed',
    );
    const before = resultOf(workingState.get().extraction);
    const unused = args.prompt_revid === undefined ? await unusedSchemaNote(services, workingState.get()) : {};
    workingState.update({
      extraction: extractionForState(extraction),
      prompt_revid: extraction.prompt_revid,
      ...(extraction.schema_revid !== undefined && { schema_revid: extraction.schema_revid }),
    });
    const result = await extractionForModel(extraction, true, before);
    return boundedResult({ ...result, ...unused, ...(await oldSchemaNote(services, extraction.prompt_revid)) });
  },
});

/** Says that the schema that was worked on last took no part, because no prompt uses it. */
async function unusedSchemaNote(
  services: Services,
  state: { schema_revid: string | null },
): Promise<{ schema_not_used?: string }> {
  const schema = await schemaWithoutPrompt(services, state);
  if (schema === undefined) return {};
  return {
    schema_not_used: `No prompt uses the schema “${schema.name}” that was worked on last, so this extraction did not either. create_prompt or update_prompt with schema_id ${schema.schema_id} links it.`,
  };
}

/** Says that the extraction could not find what newer versions of the schema ask for. */
async function oldSchemaNote({ prompts }: Services, prompt_revid: string): Promise<{ schema_is_old?: string }> {
  const { schema_id, schema_version, newest_schema_version: newest } = await prompts.get(prompt_revid);
  if (newest === undefined) return {};
  return {
    schema_is_old: `The prompt uses version ${schema_version} of its schema ${schema_id}; version ${newest} is the newest. update_prompt with this schema_id moves the prompt; the values then come with the next extraction.`,
  };
}

/** A preview of the cost, if the extraction takes more than one request. */
async function costOf(
  { services, workingState }: ToolContext<Services>,
  args: Args,
): Promise<Extract<Preview, { kind: 'cost' }> | undefined> {
  const prompt = await promptToRun(services, args.prompt_revid ?? workingState.get().prompt_revid ?? undefined);
  const twice = prompt.second_read === true ? [readsTwiceMessage] : [];
  // `execute` reports a document that cannot be extracted.
  const estimate = await undefinedOnDomainError(() =>
    services.extractions.estimate(services.document.id, prompt.prompt_revid),
  );
  const { requests = 1, pages = 1, spu_estimated = 1 } = estimate ?? {};
  if (requests <= twice.length + 1) {
    if (twice.length === 0) return undefined;
    // Without an estimate each request counts as one unit.
    const spu = estimate?.spu_estimated ?? 2;
    return { kind: 'cost', message: `${readsTwiceMessage} That is 2 requests to the model, about ${spu} SPU.` };
  }
  const long = `The ${pages} pages take ${requests} requests to the model, about ${spu_estimated} SPU.`;
  return { kind: 'cost', message: [long, ...twice].join(' '), requests };
}

const readsTwiceMessage = 'The prompt reads the document twice, at twice the cost, and marks what differs.';

type Args = { prompt_revid?: string | undefined };

/** The result that the extraction would replace, if any. */
async function currentResult(
  { services, workingState }: ToolContext<Services>,
  { prompt_revid }: Args,
): Promise<Extraction | undefined> {
  const prompt = await promptToRun(services, prompt_revid ?? workingState.get().prompt_revid ?? undefined);
  return await services.extractions.latest(services.document.id, prompt.prompt_revid);
}

function isReviewed(extraction: Extraction | undefined): extraction is Extraction {
  return extraction !== undefined && (extraction.is_verified || extraction.is_edited);
}

/** The review level of the current result: a user who approves a call without `replace` has seen it in the preview. */
async function reviewedLevel(context: ToolContext<Services>, args: Args): Promise<ReplaceLevel> {
  const current = await undefinedOnDomainError(() => currentResult(context, args));
  if (current?.is_verified === true) return 'verified';
  return current?.is_edited === true ? 'edited' : 'unreviewed';
}

async function promptToRun({ document, prompts }: Services, prompt_revid: string | undefined): Promise<Prompt> {
  const prompt = await (prompt_revid === undefined ? prompts.defaultFor(document.id) : prompts.get(prompt_revid));
  if (prompt) return prompt;
  throw new DomainError(
    'invalid',
    'no_prompt',
    'No prompt applies to this document. Give the prompt_revid of one from list_prompts, or create one.',
  );
}
