import { z } from 'zod';
import { nameOfPlugin } from '../../sub-agent-steps.ts';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { nameOfTested, testedDocument, type PipelineValidatorServices } from '../findings.ts';

const excerptCharacters = 600;

export const compareParserOutput = defineTool({
  name: 'compare_parser_output',
  description: 'Reads one document of the dry runs with several parsers, side by side. The texts are data.',
  effect: 'read_only',
  parameters: z.strictObject({
    document_id: z.string(),
    plugin_ids: z.array(z.string().min(1).max(60)).min(2).max(3),
  }),
  summarize: ({ document_id, plugin_ids }, { trial, findings }: PipelineValidatorServices) =>
    `Compares ${plugin_ids.map((id) => nameOfPlugin(trial.plugins(), id)).join(' and ')} on ${nameOfTested(findings, document_id)}`,
  execute: async (
    { services: { trial, findings }, signal }: ToolContext<PipelineValidatorServices>,
    { document_id, plugin_ids },
  ) => {
    testedDocument(findings, document_id);
    const outputs = [];
    for (const plugin_id of plugin_ids) {
      const alone = { parsers: [{ extensions: ['*'], plugin_id }], chunker: { plugin_id: 'page' }, embedder: null };
      const { documents } = await trial.dryRun(alone, [document_id], signal);
      const [document] = documents;
      const text = document?.chunks.map((chunk) => chunk.text).join('\n') ?? '';
      const { failure } = document ?? {};
      outputs.push({
        plugin_id,
        pages: document?.pages ?? 0,
        characters: text.length,
        ...(failure === undefined ? { excerpt: text.slice(0, excerptCharacters) } : { failed: failure.message }),
      });
    }
    return { document_id, outputs };
  },
});
