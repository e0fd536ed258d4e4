import type { OfferedPrompt, PipelineAgentServices, PipelineTemplate } from '@docwright/agent-core';
import type { Pipeline } from '@docwright/contract';
import type { Actor } from '../identity/actor.ts';
import type { CollectionService } from '../collections/collection-service.ts';
import { listPlugins } from '../plugins/index.ts';
import { foundConversation } from './conversation-service.ts';
import { subAgentServicesFor, type HeldWork, type SubAgentDependencies } from './sub-agent-services.ts';

const parsers: Pipeline['parsers'] = [
  { extensions: ['pdf'], plugin_id: 'pdf_text', config: {}, fallback_plugin_id: 'ocr' },
  { extensions: ['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp'], plugin_id: 'ocr', config: {} },
  { extensions: ['docx'], plugin_id: 'docx', config: {} },
  { extensions: ['xlsx', 'csv'], plugin_id: 'spreadsheet', config: {} },
  { extensions: ['html', 'htm'], plugin_id: 'html', config: {} },
  { extensions: ['eml'], plugin_id: 'email', config: {} },
  { extensions: ['txt', 'md', 'markdown'], plugin_id: 'plain', config: {} },
];

/** Pipelines to begin with. They find by words alone, which works without an embeddings model. */
const pipelineTemplates: PipelineTemplate[] = [
  {
    id: 'mixed',
    name: 'Mixed documents',
    description: 'Any mixture of PDF, scans, office files, web pages, e-mail and text. Scanned PDFs are read with OCR.',
    pipeline: { parsers, chunker: { plugin_id: 'recursive', config: {} }, embedder: null },
  },
  {
    id: 'pages',
    name: 'Page by page',
    description: 'Invoices, forms and letters, where a page is what is looked for.',
    pipeline: { parsers, chunker: { plugin_id: 'page', config: {} }, embedder: null },
  },
  {
    id: 'chapters',
    name: 'By headings',
    description: 'Manuals, contracts and Markdown with headings, where a section is what is looked for.',
    pipeline: { parsers, chunker: { plugin_id: 'heading', config: {} }, embedder: null },
  },
];

export interface AgentServiceDependencies extends SubAgentDependencies {
  collections: (actor: Actor) => Pick<CollectionService, 'check'>;
  hasEmbeddings: boolean;
  offeredPrompts: (organizationId: string) => Promise<OfferedPrompt[]>;
}

/** What the pipeline agent's tools reach in the conversation that is held. */
export function pipelineAgentServicesFor(
  dependencies: AgentServiceDependencies,
  work: HeldWork & { summary: string | null },
): PipelineAgentServices {
  const { conversations, sources, collections, hasEmbeddings, offeredPrompts } = dependencies;
  const { actor, hold, summary, say } = work;
  const current = async () => foundConversation(await conversations.get(actor, hold.id));
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
    subAgents,
    conversation: {
      summary,
      async state() {
        const { source_id, current_pipeline, source_analysis, uncertainties } = await current();
        const { id, name, document_count } = await sources(actor).get(source_id);
        return { source: { id, name, document_count }, current_pipeline, source_analysis, uncertainties };
      },
      extensions: async () => (await subAgents.source.kinds()).map(({ extension }) => extension),
      async build(given) {
        const pipeline = await collections(actor).check(given);
        await conversations.change(hold, { current_pipeline: pipeline });
        say({ type: 'pipeline_update', pipeline });
        return pipeline;
      },
    },
  };
}
