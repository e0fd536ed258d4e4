import { z } from 'zod';
import { nameOfPlugin } from '../../sub-agent-steps.ts';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { nameOfFile, sampledFile, type SourceAnalyzerServices } from '../findings.ts';

export const tryParser = defineTool({
  name: 'try_parser',
  description: 'Reads one sampled file with one parser: how much text came out, or why none did.',
  effect: 'read_only',
  parameters: z.strictObject({ document_id: z.string(), plugin_id: z.string().min(1).max(60) }),
  summarize: ({ document_id, plugin_id }, { source, findings }: SourceAnalyzerServices) =>
    `Tries ${nameOfPlugin(source.parsers(), plugin_id)} on ${nameOfFile(findings, document_id)}`,
  execute: async (
    { services: { source, findings }, signal }: ToolContext<SourceAnalyzerServices>,
    { document_id, plugin_id },
  ) => {
    const { extension } = sampledFile(findings, document_id);
    const trial = await source.tryParser(document_id, plugin_id, signal);
    const { success } = trial;
    const outcome = success ? { characters: trial.characters } : { reason: trial.reason, error: trial.error };
    findings.trials.push({ document_id, extension, plugin_id, success, ...outcome });
    // An `error` alone would say that the call itself went wrong.
    return success ? trial : { success, reason: trial.reason, why: trial.error };
  },
});
