import { expect, it } from 'vitest';
import { collectionTools } from './collection-tools/index.ts';
import { documentAgentTools } from './document-agent/tools/index.ts';
import { prepareCall } from './loop/prepare-call.ts';
import { pipelineAgentTools } from './pipeline-agent/pipeline-tools.ts';
import { schemaChatToolset } from './schema-chat/toolset.ts';
import { pipelineValidatorTools } from './sub-agents/pipeline-validator/validator-tools.ts';
import { sourceAnalyzerTools } from './sub-agents/source-analyzer/analyzer-tools.ts';
import { taskAgentTools } from './task-agent/task-tools.ts';

const toolsets = {
  document: documentAgentTools,
  collections: collectionTools,
  tasks: taskAgentTools,
  designer: schemaChatToolset,
  pipelines: pipelineAgentTools,
  analyzer: sourceAnalyzerTools,
  validator: pipelineValidatorTools,
};

it.each(Object.entries(toolsets))(
  'no tool of the agent ignores unknown arguments, at any depth: %s',
  (_, { definitions }) => {
    const lenient: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, additionalProperties } = value as { properties?: unknown; additionalProperties?: unknown };
      if (properties !== undefined && !Array.isArray(value) && additionalProperties !== false) lenient.push(path);
      for (const [key, part] of Object.entries(value)) look(part, `${path}/${key}`);
    };
    for (const {
      function: { name, parameters },
    } of definitions)
      look(parameters, name);
    expect(definitions.length).toBeGreaterThan(1);
    expect(lenient).toEqual([]);
  },
);

it.each([
  [
    'create_prompt',
    { name: 'Invoice', content: 'Extract.', schema_revid: '0'.repeat(24) },
    /it has no argument "schema_revid" \(use schema_id\)/u,
  ],
  [
    'split_document',
    { parts: [{ name: 'One', pages: [[1, 2]], tag_id: 'x', page: [1] }] },
    /parts\.0 has no argument "tag_id", "page" \(use pages\); parts\.0 takes name, pages\. Nothing was done/u,
  ],
  [
    'create_schema',
    { name: 'x', response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {}, shema: {} } } },
    /response_format\.json_schema has no argument "shema" \(use schema\)/u,
  ],
])('%s suggests the argument that resembles an unknown one', (name, args, refusal) => {
  expect(prepareCall(documentAgentTools, name, JSON.stringify(args)).refusal).toMatch(refusal);
});
