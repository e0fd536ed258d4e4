import {
  createPipelineAgentProfile,
  defaultDecide,
  newCallId,
  sentBy,
  pipelineValidatorId,
  sourceAnalyzerId,
  type FileKind,
  type FileProblems,
  type LlmMessage,
  type LlmRequest,
  type OfferedPrompt,
  type ParserTrial,
  type PipelineAgentServices,
  type PipelineTemplate,
  type SampledFile,
} from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import type { FoundUncertainty, JsonObject, Pipeline, Uncertainty } from '@docwright/contract';
import { listPlugins } from '../../../apps/api/src/features/plugins/index.ts';
import { asks, type Answer } from './other-stories.ts';
import { nothingPlayed, playTurn, type Played } from './play-turn.ts';
import type { RecordedCall, RecordedStep } from './recorded.ts';

type Json = Record<string, unknown>;

/** Templates name chunkers and embedders, the sample its languages; patterns are no longer guessed at. */
const unneeded = /^(list_plugins|get_plugin_details|detect_language|detect_patterns)$/;

/** A story of the pipeline agent and of the sub-agents that it has work, with the source as it was recorded. */
export async function playPipeline(steps: RecordedStep[]): Promise<Played> {
  const played = nothingPlayed();
  const record = recordOf(steps);
  const threads = new Map<string, string[]>();
  const answers = steps.map(({ request, answer }) => {
    const calls = (answer.tool_calls ?? []).filter(({ name }) => name !== 'inspect_chunks' || wasCut(request));
    return calls.length === 0 && answer.tool_calls !== undefined && answer.tool_calls.length > 0
      ? undefined
      : neededOf(answer.text ?? '', calls, record);
  });
  const script = answers.filter((answer): answer is Answer => answer !== undefined);
  const llm = scriptedLlm(
    script.map((answer) => (request: LlmRequest) => {
      const first = request.messages.slice(0, 2).map(({ content }) => content);
      const key = request.messages[0]?.content.includes('pipeline agent') === true ? 'main' : first.join('\n');
      const thread = threads.get(key) ?? [];
      if (!threads.has(key)) threads.set(key, thread);
      return asks(played, thread, () => answer)(request);
    }),
  );
  const services = servicesOf(record, llm);
  let history: LlmMessage[] = [];
  for (const message of record.messages) {
    const messages: LlmMessage[] = [...history, { role: 'user', content: message }];
    const result = await playTurn(
      {
        profile: createPipelineAgentProfile({ maxRounds: 20, timeoutMs: 60_000 }),
        llm,
        services,
        // What applies waits for the person, who answers in their own way: its turn ends there.
        decide: defaultDecide({ role: 'member', autoApprove: true, autoApprovedTools: [] }),
        recordCalls: async () => undefined,
        signal: new AbortController().signal,
        turn: {
          turnId: newCallId(),
          threadId: newCallId(),
          owner: { organizationId: 'a'.repeat(24), documentId: '', userId: 'c'.repeat(24) },
          settings: { model: 'm', mentions: [], autoApprove: true, autoApprovedTools: [] },
          messages,
          workingState: { schema_revid: null, prompt_revid: null, extraction: null },
        },
      },
      played,
    );
    played.decisions++;
    history = [...messages, ...sentBy(result.messages)];
  }
  played.threads.push(...threads.values());
  return played;
}

/** The calls that are still made; undefined for an answer that had no other. An application ends the turn. */
function neededOf(text: string, calls: RecordedCall[], record: SourceRecord): Answer | undefined {
  const kept = calls.filter(
    ({ name, arguments: args }) =>
      !unneeded.test(name) &&
      name !== 'apply_pipeline' &&
      !(name === 'get_file_content_preview' && record.isShownWhole(String(args['document_id']))),
  );
  if (calls.length > 0 && kept.length === 0 && !calls.some(({ name }) => name === 'apply_pipeline')) return undefined;
  const renamed = kept.map(({ name, arguments: { most_characters, ...args } }) => ({
    name,
    arguments: { ...args, ...(most_characters !== undefined && { max_characters: most_characters }) },
  }));
  return { text, calls: renamed };
}

/** Whether a dry run that the request holds made more than one piece of a document: of one piece no cut can be looked at. */
function wasCut({ messages }: RecordedStep['request']): boolean {
  const runs = messages.filter(({ role, content }) => role === 'tool' && content?.includes('"stage_timings"') === true);
  const documents = runs.flatMap(({ content }) => parsed(content)['documents'] as { chunks: number }[]);
  return documents.some(({ chunks }) => chunks > 1);
}

interface SourceRecord {
  messages: string[];
  kinds: FileKind[];
  problems: FileProblems;
  files: SampledFile[];
  templates: PipelineTemplate[];
  prompts: OfferedPrompt[];
  built: Pipeline[];
  trialOf: (documentId: string, pluginId: string) => ParserTrial;
  textOf: (documentId: string) => string;
  chunksOf: (documentId: string) => { page_num: number; text: string }[];
  isShownWhole: (documentId: string) => boolean;
}

/** What calls answered when they were recorded, by their names and arguments. */
function recordOf(steps: readonly RecordedStep[]): SourceRecord {
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
    kinds: counted['by_extension'] as FileKind[],
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
    textOf,
    chunksOf: (id) => [{ page_num: 1, text: textOf(id) }],
    isShownWhole: (id) => textOf(id).length < 590,
  };
}

function parsed(text: string | null | undefined): Json {
  try {
    return JSON.parse(text ?? '{}') as Json;
  } catch {
    return {};
  }
}

function servicesOf(record: SourceRecord, llm: ReturnType<typeof scriptedLlm>): PipelineAgentServices {
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
      told: async (agentId, run) => {
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
