import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError, fieldPath, textsOfRoundedNumbers, withExactNumbers } from '@docwright/contract';
import { z } from 'zod';
import { valueAt } from '../../../plans/slots.ts';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { undefinedOnDomainError } from '../../../tool/undefined-on-domain-error.ts';
import { extractionForState, shortenLongLists } from '../../context/extraction-context.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { currentExtraction, lastSeenExtraction } from './get-extraction-result.ts';
import { extractionState } from '../shared/object-states.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'extractions' | 'schemas'>;

export const updateExtractionField = defineTool({
  name: 'update_extraction_field',
  description:
    'Corrects one value in the current extraction of this document. Does not change the prompt or other documents.',
  effect: 'write',
  documentContent: ['value', 'validation_errors'],
  target: 'subject',
  argumentRoles: { path: 'field', value: 'content' },
  worksOnDocument: true,
  parameters: z.object({
    path: fieldPath.describe('The path of the value, for example seller.name or line_items.0.amount.'),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .describe(
        'The new value, of the type in the schema. A number of more than 15 digits is given as a text of its digits.',
      ),
  }),
  summarize: ({ path, value }) => `Set ${path} to ${JSON.stringify(value)}`,
  // A value that the schema refuses would fail after the approval: the model gets the error before a user is asked.
  check: async (context: ToolContext<Services>, { path, value }) => {
    const present = await undefinedOnDomainError(() => currentExtraction(context));
    if (present?.schema_revid === undefined) return;
    const changed = withValue(present.result, path, value);
    await nextTurn();
    const { errors } = await context.services.schemas.checkData(present.schema_revid, changed);
    const known = new Set(present.validation_errors.map((error) => `${error.path} ${error.message}`));
    // Such a text is stored as a number with its digits where the schema takes no text.
    const digits = textsOfRoundedNumbers(value, path);
    const caused = errors
      .filter((error) => error.path === path || !known.has(`${error.path} ${error.message}`))
      .filter((error) => !digits.has(error.path));
    if (caused.length === 0) return;
    const reasons = caused.slice(0, 10).map((error) => `${error.path || 'the result'} ${error.message}`);
    throw new DomainError('invalid', 'invalid_value', `The schema refuses the value: ${reasons.join('; ')}.`);
  },
  // A verified value is a person's decision: changing it also ends the verification.
  guard: {
    argument: 'path',
    reason: async (context: ToolContext<Services>) =>
      (await currentExtraction(context)).is_verified ? 'result_verified' : undefined,
  },
  preview: async (context: ToolContext<Services>, { path, value }) => {
    const present = await currentExtraction(context);
    const place = present.grounding[path];
    return {
      kind: 'field',
      path,
      old_value: shortened(valueAt(withExactNumbers(present), path.split('.')) ?? null),
      new_value: shortened(value),
      page_num: place?.page_num ?? null,
      boxes: (place?.boxes ?? []).slice(0, maxBoxes),
    };
  },
  baseline: async (context: ToolContext<Services>) => {
    const extraction = await currentExtraction(context);
    return [extractionState(context.services.document, extraction.prompt_revid, extraction)];
  },
  execute: async (context: ToolContext<Services>, { path, value }) => {
    const { services, workingState, origin } = context;
    const present = await currentExtraction(context);
    const changed = await services.extractions.updateField(
      services.document.id,
      present.prompt_revid,
      { path, value, base_version: lastSeenExtraction(context)?.version ?? present.version },
      origin,
    );
    workingState.update({ extraction: extractionForState(changed), prompt_revid: changed.prompt_revid });
    const { prompt_revid, version, validation_errors } = changed;
    const stored = valueAt(withExactNumbers(changed), path.split('.'));
    return { prompt_revid, version, path, value: stored, validation_errors };
  },
});

/**
 * The result with another value; a copy on the way to it alone, as a result can have thousands of rows. Throws `unknown_path` if
 * the way does not exist.
 */
function withValue(result: unknown, path: string, value: unknown): unknown {
  const keys = path.split('.');
  const copy = copyOf(result);
  let container = copy;
  for (const key of keys.slice(0, -1)) {
    const child = isObject(container) && Object.hasOwn(container, key) ? copyOf(container[key]) : undefined;
    if (isObject(container) && child !== undefined) container[key] = child;
    container = child;
  }
  if (!isObject(container)) {
    throw new DomainError('invalid', 'unknown_path', `There is no field "${path}" in the result.`);
  }
  container[keys.at(-1)!] = value;
  return copy;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice();
  return isObject(value) ? { ...value } : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const maxBoxes = 50;

/** A value for a preview: at most 50 entries of a list and 2,000 characters of a text. */
function shortened(value: unknown): unknown {
  return shortenLongLists(value, 50, 2000);
}
