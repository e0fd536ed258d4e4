import {
  pipelineValidatorId,
  type Locale,
  type OfferedPrompt,
  type PipelineAgentServices,
  type PipelineTemplate,
} from '@docwright/agent-core';
import type { JsonObject, Pipeline } from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { CollectionService } from '../collections/index.ts';
import { listPlugins, usualParsers } from '../plugins/index.ts';
import { conversationOrThrow } from './conversation-service.ts';
import { subAgentServicesFor, type LeasedWork, type SubAgentDependencies } from './sub-agent-services.ts';

/** Templates to start from. They use keyword search, which works without an embeddings model. */
const pipelineTemplates: PipelineTemplate[] = [
  {
    id: 'mixed',
    name: 'Mixed documents',
    description: 'Any mixture of PDF, scans, office files, web pages, e-mail and text. Scanned PDFs are read with OCR.',
    pipeline: { parsers: usualParsers, chunker: { plugin_id: 'recursive', config: {} }, embedder: null },
  },
  {
    id: 'pages',
    name: 'Page by page',
    description: 'Invoices, forms and letters, searched page by page.',
    pipeline: { parsers: usualParsers, chunker: { plugin_id: 'page', config: {} }, embedder: null },
  },
  {
    id: 'chapters',
    name: 'By headings',
    description: 'Manuals, contracts and Markdown with headings, searched section by section.',
    pipeline: { parsers: usualParsers, chunker: { plugin_id: 'heading', config: {} }, embedder: null },
  },
];

export interface AgentServiceDependencies extends SubAgentDependencies {
  collections: (actor: Actor) => Pick<CollectionService, 'check'>;
  hasEmbeddings: boolean;
  offeredPrompts: (organizationId: string) => Promise<OfferedPrompt[]>;
  localeOf: (organizationId: string) => Promise<Locale>;
}

/** Composes the services of the pipeline agent's tools for a leased conversation. */
export function pipelineAgentServicesFor(
  dependencies: AgentServiceDependencies,
  work: LeasedWork & { summary: string | null },
): PipelineAgentServices {
  const { conversations, sources, collections, hasEmbeddings, offeredPrompts, localeOf } = dependencies;
  const { actor, lease, summary, emit } = work;
  const current = async () => conversationOrThrow(await conversations.get(actor, lease.id));
  const subAgents = subAgentServicesFor(dependencies, work);
  return {
    plugins: (kind) =>
      listPlugins(kind).map((plugin) =>
        plugin.kind === 'embedder' && !hasEmbeddings
          ? { ...plugin, description: `Not set up here: leave the embedder null. ${plugin.description}` }
          : plugin,
      ),
    templates: () => pipelineTemplates,
    prompts: async () => offeredPrompts(actor.organizationId),
    locale: () => localeOf(actor.organizationId),
    subAgents,
    conversation: {
      summary,
      async state() {
        const { source_id, current_pipeline, source_analysis, validation, uncertainties } = await current();
        const { id, name, document_count } = await sources(actor).get(source_id);
        const last_validation = summarizeValidation(validation, current_pipeline);
        return {
          source: { id, name, document_count },
          current_pipeline,
          source_analysis,
          last_validation,
          uncertainties,
        };
      },
      extensions: async () => (await subAgents.source.kinds()).map(({ extension }) => extension),
      async build(given) {
        const pipeline = await collections(actor).check(given);
        const { current_pipeline, uncertainties } = await current();
        await conversations.change(lease, { current_pipeline: pipeline });
        const isAnother = JSON.stringify(pipeline) !== JSON.stringify(current_pipeline);
        for (const { id, resolved, context } of isAnother ? uncertainties : []) {
          const isOfPipeline = context?.['found_by'] === pipelineValidatorId;
          if (!resolved && isOfPipeline) await conversations.resolve(actor, lease.id, id, 'pipeline_replaced');
        }
        emit({ type: 'pipeline_update', pipeline });
        return pipeline;
      },
    },
  };
}

/** The counts and assessment of the last validation, without examples and timings, which only the call's result has. */
function summarizeValidation(validation: JsonObject | null, current: Pipeline | null): JsonObject | null {
  if (validation === null) return null;
  const { pipeline, alternatives: _a, stage_timings: _t, categories, ...counts } = validation;
  const failures = Array.isArray(categories) ? (categories as JsonObject[]) : [];
  return {
    ...counts,
    categories: failures.map(({ category, count, fix }) => ({
      category: category!,
      count: count!,
      ...(fix === undefined ? {} : { fix }),
    })),
    is_of_current_pipeline: JSON.stringify(pipeline) === JSON.stringify(current),
  };
}
