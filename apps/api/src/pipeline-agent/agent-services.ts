import type { PipelineAgentServices } from '@docwright/agent-core';
import { checkPipeline } from '../pipeline/check-pipeline.ts';
import { listPlugins } from '../pipeline/plugins/index.ts';
import { foundConversation } from './conversation-service.ts';
import { subAgentServicesFor, type HeldWork, type SubAgentDependencies } from './sub-agent-services.ts';
import { pipelineTemplates } from './templates.ts';

/** What the pipeline agent's tools reach in the conversation that is held. */
export function pipelineAgentServicesFor(
  dependencies: SubAgentDependencies,
  work: HeldWork & { summary: string | null },
): PipelineAgentServices {
  const { conversations, sources } = dependencies;
  const { actor, hold, summary, say } = work;
  const current = async () => foundConversation(await conversations.get(actor, hold.id));
  return {
    plugins: listPlugins,
    templates: () => pipelineTemplates,
    subAgents: subAgentServicesFor(dependencies, work),
    conversation: {
      summary,
      async state() {
        const { source_id, current_pipeline, source_analysis, uncertainties } = await current();
        const { id, name, document_count } = await sources(actor).get(source_id);
        return { source: { id, name, document_count }, current_pipeline, source_analysis, uncertainties };
      },
      async build(given) {
        const pipeline = checkPipeline(given);
        await conversations.change(hold, { current_pipeline: pipeline });
        say({ type: 'pipeline_update', pipeline });
        return pipeline;
      },
    },
  };
}
