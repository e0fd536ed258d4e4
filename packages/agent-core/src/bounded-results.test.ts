import { DomainError } from '@docwright/contract';
import { describe, expect, it } from 'vitest';
import { askTools } from './ask/tools.ts';
import { collectionTools } from './collection-tools/index.ts';
import { documentAgentTools } from './document-agent/tools/index.ts';
import { pipelineAgentTools } from './pipeline-agent/pipeline-tools.ts';
import { schemaChatToolset } from './schema-chat/toolset.ts';
import { pipelineValidatorTools } from './sub-agents/pipeline-validator/validator-tools.ts';
import { sourceAnalyzerTools } from './sub-agents/source-analyzer/analyzer-tools.ts';
import { taskAgentTools } from './task-agent/task-tools.ts';
import type { Tool, ToolContext } from './tool/tool.ts';
import { callTool } from './loop/call-tool.ts';
import { prepareCall } from './loop/prepare-call.ts';

const toolsets = {
  askTools,
  collectionTools,
  documentAgentTools,
  pipelineAgentTools,
  pipelineValidatorTools,
  schemaChatToolset,
  sourceAnalyzerTools,
  taskAgentTools,
};
const every = Object.entries(toolsets).flatMap(([agent, { tools }]) =>
  tools.map((tool): [string, Tool<never>] => [`${agent}: ${tool.name}`, tool as unknown as Tool<never>]),
);

/** Words that are found again only if no character is lost. */
const words = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}${at}`).join(' ');
const results: [string, unknown][] = [
  ['one long text', words(9_000, 'w')],
  [
    'rows',
    { rows: Array.from({ length: 900 }, (_, at) => ({ name: `row${at}`, 'a rather long name of a field': at })) },
  ],
  ['a long text with breaks', { pages: [{ page_num: 1, text: words(4_000, 'line\n') }], next_page_num: 2 }],
  ['many fields', Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field_${at}`, `v${at}`]))],
  ['deep lists', Array.from({ length: 300 }, (_, at) => [[[[`d${at}`, null, true, {}, []]]]])],
  ['characters of two units', { text: '😀'.repeat(9_000) }],
];

/** Runs the tool with that result in the place of its own. */
async function contentOf(tool: Tool<never>, result: unknown, restFrom?: number): Promise<string> {
  const { guard: _guard, implied: _implied, ...rest } = tool;
  const execute = async () => {
    if (result instanceof DomainError) throw result;
    return result;
  };
  const call = { tool: { ...rest, execute }, args: {}, arguments: '{}', ...(restFrom !== undefined && { restFrom }) };
  const context = { origin: { call_id: 'c' }, signal: new AbortController().signal } as unknown as ToolContext<never>;
  const { content } = await callTool(
    call,
    tool.awaitsAnswers === true ? { approved: true, answers: [] } : undefined,
    async () => ({ effect: 'allow' }) as never,
    () => context,
    async () => undefined,
  );
  return content;
}

it('covers the agents', () => expect(every.length).toBeGreaterThan(60));

describe.each(every)('the result of %s', (_, tool) => {
  it('has at most 8,000 characters, says where it was cut, and can be read to its end', async () => {
    for (const [name, result] of results) {
      const first = await contentOf(tool, result);
      expect(first.length, name).toBeLessThanOrEqual(8_000);
      expect(first).toContain('this is a piece of it');
      if (tool.effect !== 'read') continue;
      expect(first).toContain(`call ${tool.name} with the same arguments and rest_from: `);
    }
    expect((await contentOf(tool, new DomainError('conflict', 'x', words(9_000, 'e')))).length).toBeLessThanOrEqual(
      8_000,
    );
    expect(await contentOf(tool, { small: 1 })).toBe('{"small":1}');
  });
});

it.each(results)('loses nothing in pieces: %s', async (_, result) => {
  const tool = every.find(([name]) => name === 'documentAgentTools: list_tags')![1];
  const pieces: string[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const content = await contentOf(tool, result, from);
    expect(content.length).toBeLessThanOrEqual(8_000);
    pieces.push(content);
    expect(pieces.length).toBeLessThan(40);
    const next: string | undefined = /rest_from: (\d+)/.exec(content)?.[1];
    from = next === undefined ? undefined : Number(next);
  }
  const textOf = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(textOf).join('') : String(value);
  const read = pieces.map((piece) => {
    const { rest: __, ...content } = JSON.parse(piece) as Record<string, unknown>;
    return textOf(content).replaceAll(/\[cut: [^\]]*\]/g, '');
  });
  expect(read.join('')).toBe(textOf(result));
});

it('takes rest_from for every tool that reads, and for no other', () => {
  const read = prepareCall(documentAgentTools, 'list_tags', '{"limit":5,"rest_from":7000}');
  expect(read).toMatchObject({ args: { limit: 5 }, restFrom: 7000, arguments: '{"limit":5,"rest_from":7000}' });
  const written = prepareCall(documentAgentTools, 'create_tag', '{"name":"x","color":"#112233","rest_from":7000}');
  expect(written.refusal).toContain('no argument "rest_from"');
});
