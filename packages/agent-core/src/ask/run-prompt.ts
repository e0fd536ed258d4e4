import { DomainError, objectId } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { AskServices } from './services.ts';

type Context = ToolContext<AskServices>;

/** Documents of one call, at most. */
const maxDocuments = 1000;

const parameters = z.strictObject({
  prompt_id: objectId.describe('The prompt to extract with.'),
  document_ids: z
    .array(objectId)
    .min(1)
    .max(maxDocuments)
    .optional()
    .describe('Documents in the scope. Default: all that have no result of the prompt.'),
});

export const runPrompt = defineTool({
  name: 'run_prompt',
  description: `Runs a prompt on documents in the scope that have no result of it, at most ${maxDocuments}. Use it where values are missing that the prompt extracts. The user sees the estimated cost and decides. The extractions run in the background: this answer cannot use their results.`,
  effect: 'write',
  target: 'new',
  argumentRoles: { prompt_id: 'reference', document_ids: 'reference' },
  parameters,
  summarize: ({ document_ids }) =>
    document_ids === undefined
      ? 'Extract from the documents of the scope that lack a result'
      : `Extract from ${document_ids.length} documents, if they lack a result`,
  check: async ({ services }: Context, args) => void (await lackingDocuments(services, args)),
  async preview({ services }: Context, args) {
    const ids = await lackingDocuments(services, args);
    const { name, requests, spu } = await services.runs.estimate(args.prompt_id, ids);
    const message = `“${name}” reads ${counted(ids.length, 'document')} without a result: ${counted(requests, 'request')} to the model, about ${spu} SPU.`;
    return { kind: 'cost' as const, message, requests };
  },
  // The user approves a cost: more documents or pages since then are a cost that the card did not show.
  async baseline({ services }: Context, args) {
    const ids = await lackingDocuments(services, args);
    const { name, requests } = await services.runs.estimate(args.prompt_id, ids);
    const state = { documents: `${ids.length}`, requests: `${requests}` };
    return [{ thing: `prompt:${args.prompt_id}`, name: `list of documents without a result of “${name}”`, state }];
  },
  async execute({ services, origin }: Context, args) {
    const known = await services.runs.startedBy(origin.call_id);
    return known ?? (await services.runs.start(args.prompt_id, await lackingDocuments(services, args), origin));
  },
});

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The documents to read. Throws `documents_needed` if none lacks a result. */
async function lackingDocuments(
  services: AskServices,
  { prompt_id, document_ids }: z.output<typeof parameters>,
): Promise<string[]> {
  const has = new Set((await services.results(prompt_id)).map(({ document_id }) => document_id));
  const wanted = document_ids && new Set(document_ids);
  const ids = (await services.documents())
    .map(({ id }) => id)
    .filter((id) => !has.has(id) && wanted?.has(id) !== false)
    .slice(0, maxDocuments);
  if (ids.length === 0) {
    throw new DomainError('invalid', 'documents_needed', 'Every document of the scope has a result of this prompt.');
  }
  return ids;
}
