import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { extractionState } from '../shared/object-states.ts';
import { idParameter } from '../shared/parameters.ts';
import { currentExtraction } from './get-extraction-result.ts';

type Services = Pick<DocumentAgentServices, 'document' | 'extractions'>;

export const releaseResult = defineTool({
  name: 'release_result',
  description:
    'Releases one version of this document’s extraction, so that it can be delivered and used. Call it only if the person asks for it. Fails if the result is incomplete, fails a check or waits for an approval.',
  effect: 'write',
  isFurther: true,
  needsUser: true,
  target: 'subject',
  argumentRoles: { prompt_revid: 'reference', version: 'setting' },
  worksOnDocument: true,
  parameters: z.object({
    prompt_revid: idParameter('The prompt revision of the result.'),
    version: z
      .number()
      .int()
      .min(1)
      .describe('The version of the result. It must be the newest, and the one that the person has seen.'),
  }),
  summarize: ({ version }) => `Release version ${version} of the extraction`,
  check: async (context: ToolContext<Services>, { prompt_revid, version }) => {
    const current = await currentExtraction(context, prompt_revid);
    if (current.version === version) return;
    throw new DomainError('conflict', 'version_conflict', `The newest version is ${current.version}. Read it first.`);
  },
  baseline: async (context: ToolContext<Services>, { prompt_revid }) => [
    extractionState(context.services.document, prompt_revid, await currentExtraction(context, prompt_revid)),
  ],
  execute: async ({ services, origin }: ToolContext<Services>, { prompt_revid, version }) => {
    const { release } = await services.extractions.release(services.document.id, prompt_revid, { version }, origin);
    return { prompt_revid, version, release: release.state };
  },
});
