import {
  defaultDecide,
  newCallId,
  pipelineValidatorId,
  sourceAnalyzerId,
  type FileTypeCount,
  type FileProblems,
  type LlmClient,
  type OfferedPrompt,
  type ParserTrial,
  type PipelineAgentServices,
  type PipelineTemplate,
  type SampledFile,
} from '@docwright/agent-core';
import type { FoundUncertainty, JsonObject, Pipeline, Uncertainty } from '@docwright/contract';
import { listPlugins } from '../../../apps/api/src/features/plugins/index.ts';
import type { RecordedStep } from './recorded.ts';

export type Json = Record<string, unknown>;

/** A recorded source: the result of each call. */
export interface SourceRecord {
  messages: string[];
  kinds: FileTypeCount[];
  problems: FileProblems;
  files: SampledFile[];
  templates: PipelineTemplate[];
  prompts: OfferedPrompt[];
  built: Pipeline[];
  /** The pipeline that was built last in the answers so far. */
  last?: Pipeline | undefined;
  /** Whether the sample includes it: the first parser that was tried on a file is the usual one. */
  isInSample: (args: Json) => boolean;
  trialOf: (documentId: string, pluginId: string) => ParserTrial;
  textOf: (documentId: string) => string;
  chunksOf: (documentId: string) => { page_num: number; text: string }[];
  isShownWhole: (documentId: string) => boolean;
}

/** The recorded results of calls, by their names and arguments. */
export function recordOf(steps: readonly RecordedStep[]): SourceRecord {
  const results = steps.flatMap(({ answer, request }, at) => {
    const tools = request.tools?.map((tool) => tool.function.name).join();
    const next = steps
      .slice(at + 1)
      .find((step) => step.request.tools?.map((tool) => tool.function.name).join() === tools);
    const messages = next?.request.messages ?? [];
    const calls = answer.tool_calls ?? [];
    const contents = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
    return calls.map((call, each) => ({ ...call, result: parsed(contents[each]?.content) }));
  });
  const of = (name: string) => results.filter((call) => call.name === name);
  const counted = of('enumerate_files')[0]!.result;
  const trials = of('try_parser');
  const previews = of('get_file_content_preview');
  const listed = of('list_templates')[0]!.result;
  const textOf = (id: string) => {
    const texts = [...previews, ...trials]
      .filter((call) => call.arguments['document_id'] === id)
      .map(({ result }) => (result['text'] ?? result['excerpt'] ?? '') as string);
    return texts.toSorted((one, other) => other.length - one.length)[0] ?? '';
  };
  return {
    messages: steps.flatMap(({ request }) => {
      const last = request.messages.at(-1);
      const isPerson = last?.role === 'user' && request.tools?.some((tool) => tool.function.name === 'apply_pipeline');
      return isPerson === true ? [last?.content ?? ''] : [];
    }),
    kinds: counted['by_extension'] as FileTypeCount[],
    problems: { unreadable: [], copies: [] },
    files: of('sample_files')[0]!.result['files'] as SampledFile[],
    templates: (listed['templates'] as PipelineTemplate[]).map(({ id, name, description, pipeline }) => ({
      id,
      name,
      description,
      pipeline,
    })),
    prompts: listed['prompts'] as OfferedPrompt[],
    built: of('build_pipeline').map(({ result }) => result['current_pipeline'] as Pipeline),
    trialOf: (id, plugin) =>
      (trials.find(({ arguments: args }) => args['document_id'] === id && args['plugin_id'] === plugin)?.result ??
        {}) as unknown as ParserTrial,
    isInSample: ({ document_id, plugin_id }) =>
      trials.find(({ arguments: args }) => args['document_id'] === document_id)?.arguments['plugin_id'] === plugin_id,
    textOf,
    chunksOf: (id) => [{ page_num: 1, text: textOf(id) }],
    isShownWhole: (id) => textOf(id).length < 590,
  };
}

export function parsed(text: string | null | undefined): Json {
  try {
    return JSON.parse(text ?? '{}') as Json;
  } catch {
    return {};
  }
}

export function servicesOf(record: SourceRecord, llm: LlmClient): PipelineAgentServices {
  const built = [...record.built];
  let current_pipeline: Pipeline | null = null;
  let source_analysis: JsonObject | null = null;
  let last_validation: JsonObject | null = null;
  let uncertainties: (FoundUncertainty & { by: string })[] = [];
  const cut = (id: string) => {
    const text = record.textOf(id);
    const size = current_pipeline?.chunker.plugin_id === 'page' ? 6000 : 1200;
    const pieces = Array.from({ length: Math.max(1, Math.ceil(text.length / size)) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    return pieces.map((piece) => ({ page_num: 1, text: piece }));
  };
  const dryRun = async (_: unknown, ids: readonly string[]) => ({
    tested: ids.length,
    succeeded: ids.length,
    failed: 0,
    categories: [],
    timings: { parse: { total: 12.7, slowest: 2.2 }, chunk: { total: 10.1, slowest: 2.2 } },
    documents: ids.map((id) => ({
      document_id: id,
      document_name: record.files.find(({ document_id }) => document_id === id)?.name ?? '',
      parser: 'pdf_text',
      pages: 1,
      chunks: cut(id),
    })),
  });
  return {
    plugins: (kind) => listPlugins(kind),
    templates: () => record.templates,
    prompts: async () => record.prompts,
    conversation: {
      summary: null,
      state: async () => ({
        source: { id: 's', name: 'All documents', document_count: record.files.length },
        current_pipeline,
        source_analysis,
        last_validation,
        uncertainties: uncertainties.map(
          ({ severity, message }, at) =>
            ({ id: `${at}`, severity, message, resolved: false }) as unknown as Uncertainty,
        ),
      }),
      extensions: async () => record.kinds.map(({ extension }) => extension),
      build: async (given) => {
        current_pipeline = built.shift() ?? (given as Pipeline);
        uncertainties = uncertainties.filter(({ by }) => by !== pipelineValidatorId);
        return current_pipeline;
      },
    },
    subAgents: {
      source: {
        kinds: async () => record.kinds,
        problems: async () => record.problems,
        sample: async () => record.files,
        usualParser: () => 'pdf_text',
        tryParser: async (id, plugin) => record.trialOf(id, plugin),
        text: async (id, max) => record.textOf(id).slice(0, max),
        parsers: () => listPlugins('parser'),
      },
      trial: {
        pipeline: async () => current_pipeline!,
        sample: async () => record.files.map(({ document_id }) => document_id),
        dryRun,
        before: async () => null,
        plugins: () => listPlugins(),
      },
      model: {
        llm,
        model: 'm',
        owner: { organizationId: 'a'.repeat(24), documentId: '', userId: 'c'.repeat(24) },
        threadId: newCallId(),
        decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
        recordCallsOf: () => async () => undefined,
        newTurnId: newCallId,
      },
      timeoutMs: 60_000,
      runAndStore: async (agentId, run) => {
        const result = await run(() => undefined);
        if (agentId === sourceAnalyzerId) source_analysis = result.data;
        else {
          const { alternatives: _a, stage_timings: _t, ...counts } = result.data;
          last_validation = { ...counts, is_of_current_pipeline: true };
        }
        uncertainties.push(...result.uncertainties.map((found) => ({ ...found, by: agentId })));
        return result;
      },
    },
  };
}
