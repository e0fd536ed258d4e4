import { z } from 'zod';
import { analyzeSource, sourceAnalyzerId } from '../../sub-agents/source-analyzer/analyze-source.ts';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const spawnSourceAnalyzer = defineTool({
  name: 'spawn_source_analyzer',
  description:
    'Has a sub-agent look at the source: files by type, languages, types of documents, problems, and which parsers read them. Takes a while. Where it did not finish, success is false and data is what there is so far.',
  effect: 'read_only',
  runsSideBySide: true,
  parameters: z.strictObject({ focus: z.string().max(1000).default('') }),
  summarize: () => 'Analyze the source',
  execute: async ({ services: { subAgents }, signal }: ToolContext<PipelineAgentServices>, { focus }) => {
    const { source, model, timeoutMs } = subAgents;
    return await subAgents.told(sourceAnalyzerId, (tell) =>
      analyzeSource(source, { model, timeoutMs, focus, signal, tell }),
    );
  },
});
