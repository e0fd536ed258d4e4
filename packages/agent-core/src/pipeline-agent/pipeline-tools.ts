import { artifactName, DomainError, pipeline, pluginKind, type JsonObject, type Pipeline } from '@docwright/contract';
import { z } from 'zod';
import { pipelineValidatorId, validatePipeline } from '../sub-agents/pipeline-validator/validate-pipeline.ts';
import { analyzeSource, sourceAnalyzerId } from '../sub-agents/source-analyzer/analyze-source.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { createToolset } from '../tool/toolset.ts';
import { analysisForModel } from './system-prompt.ts';
import type { PipelineAgentServices } from './services.ts';

const listPlugins = defineTool({
  name: 'list_plugins',
  description: 'Lists the plugins of a pipeline. Returns the id, kind, name and description of each.',
  effect: 'read',
  parameters: z.strictObject({ kind: pluginKind.nullish() }),
  summarize: () => 'Look at the plugins',
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { kind }) => ({
    plugins: services
      .plugins(kind ?? undefined)
      .map(({ id, kind: its, name, description }) => ({ id, kind: its, name, description })),
  }),
});

const getPluginDetails = defineTool({
  name: 'get_plugin_details',
  description:
    'Reads one plugin. Returns the JSON Schema of its config and, for the extractor, the prompts that it can run.',
  effect: 'read',
  parameters: z.strictObject({ plugin_id: z.string().min(1).max(60) }),
  summarize: ({ plugin_id }) => `Look at the plugin ${plugin_id}`,
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { plugin_id }) => {
    const plugins = services.plugins();
    const found = plugins.find(({ id }) => id === plugin_id);
    if (found?.kind === 'extractor') return { ...found, prompts: await services.prompts() };
    if (found !== undefined) return found;
    const known = plugins.map(({ id }) => id).join(', ');
    throw new DomainError('invalid', 'unknown_plugin', `There is no plugin "${plugin_id}". There are: ${known}.`);
  },
});

const listTemplates = defineTool({
  name: 'list_templates',
  description:
    'Lists complete pipelines to start from. Returns the purpose of each and the file types of this source that it cannot read (not_read), the chunkers and embedders with the defaults of their configs, and the prompts of the organization. Names of prompts and fields are data.',
  effect: 'read',
  parameters: z.strictObject({}),
  summarize: () => 'Look at the templates',
  execute: async ({ services }: ToolContext<PipelineAgentServices>) => {
    const extensions = await services.conversation.extensions();
    const all = services.templates();
    const templates = all.map(({ id, name, description, pipeline: { parsers, chunker } }, at) => {
      const named = new Set(parsers.flatMap((parser) => parser.extensions));
      const not_read = named.has('*') ? [] : extensions.filter((extension) => !named.has(extension));
      const text = JSON.stringify(parsers);
      const same = all.slice(0, at).find((other) => JSON.stringify(other.pipeline.parsers) === text);
      return {
        id,
        name,
        description,
        // Templates with the same parsers refer to the first one.
        parsers: same === undefined ? compactParsers(parsers) : `those of ${same.id}`,
        chunker: chunker.plugin_id,
        ...(not_read.length > 0 && { not_read }),
      };
    });
    const offered = (kind: 'chunker' | 'embedder') =>
      services.plugins(kind).map(({ id, description, config_schema }) => ({
        id,
        description,
        ...(kind === 'chunker' && { config: defaultsOf(config_schema) }),
      }));
    return {
      templates,
      chunkers: offered('chunker'),
      embedders: offered('embedder'),
      prompts: (await services.prompts()).map(({ fields, ...prompt }) => ({ ...prompt, fields: shortened(fields) })),
    };
  },
});

/** Maximum number of fields that are listed for a prompt. */
const namedFields = 8;

function shortened(fields: readonly string[]): readonly string[] {
  if (fields.length <= namedFields + 1) return fields;
  return [...fields.slice(0, namedFields), `and ${fields.length - namedFields} more`];
}

/** The defaults of a config's fields; get_plugin_details explains them. */
function defaultsOf({ properties }: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries((properties ?? {}) as Record<string, { default?: unknown }>);
  return Object.fromEntries(fields.map(([name, field]) => [name, field.default]));
}

/** Parsers by extensions, for example `{"pdf":"pdf_text, else ocr"}`. */
function compactParsers(parsers: Pipeline['parsers']): Record<string, string> {
  return Object.fromEntries(
    parsers.map(({ extensions, plugin_id, fallback_plugin_id }) => [
      extensions.join(' '),
      fallback_plugin_id === undefined ? plugin_id : `${plugin_id}, else ${fallback_plugin_id}`,
    ]),
  );
}

const getPipelineState = defineTool({
  name: 'get_pipeline_state',
  description:
    'Returns the complete state of the conversation, including what the state at the end of the messages omits.',
  effect: 'read',
  parameters: z.strictObject({}),
  summarize: () => 'Look at where things stand',
  execute: async ({ services }: ToolContext<PipelineAgentServices>) => services.conversation.state(),
});

const buildPipeline = defineTool({
  name: 'build_pipeline',
  description:
    'Stores a pipeline as the proposal of the conversation and shows it to the person. Applies nothing. Starts from the template whose id is `template` or, without one, from the current proposal; each other argument replaces that part. "extract" makes the fields of a prompt searchable; null removes it. Returns the complete pipeline.',
  effect: 'write',
  target: 'subject',
  argumentRoles: {
    template: 'content',
    parsers: 'content',
    extract: 'reference',
    chunker: 'content',
    embedder: 'content',
  },
  parameters: z.strictObject({
    template: z.string().max(60).optional(),
    parsers: pipeline.shape.parsers.optional(),
    extract: pipeline.shape.extract.unwrap().nullish(),
    chunker: pipeline.shape.chunker.optional(),
    embedder: pipeline.shape.embedder.unwrap().optional(),
  }),
  summarize: () => 'Propose a pipeline',
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { template, ...parts }) => {
    const base = await baseOf(services, template);
    const given = Object.entries(parts).filter(([name, value]) => value !== undefined && name !== 'extract');
    const extract = parts.extract === undefined ? base.extract : (parts.extract ?? undefined);
    const whole = { ...base, ...Object.fromEntries(given), extract };
    return { current_pipeline: await services.conversation.build(whole) };
  },
});

/** The pipeline that omitted parts are taken from: the template, otherwise the current proposal. */
async function baseOf(services: PipelineAgentServices, template: string | undefined): Promise<Partial<Pipeline>> {
  if (template === undefined) return (await services.conversation.state()).current_pipeline ?? {};
  const all = services.templates();
  const found = all.find(({ id }) => id === template);
  if (found !== undefined) return found.pipeline;
  const known = all.map(({ id }) => id).join(', ');
  throw new DomainError('invalid', 'unknown_template', `There is no template "${template}". There are: ${known}.`);
}

const spawnSourceAnalyzer = defineTool({
  name: 'spawn_source_analyzer',
  description:
    'Starts a sub-agent that analyzes the source, and waits for it. Returns the files by type, languages, document types, problems, and which parsers can read them. Takes up to several minutes.',
  effect: 'read',
  runsSideBySide: true,
  parameters: z.strictObject({ focus: z.string().max(1000).default('') }),
  summarize: () => 'Analyze the source',
  execute: async ({ services: { subAgents }, signal }: ToolContext<PipelineAgentServices>, { focus }) => {
    const { source, model, timeoutMs } = subAgents;
    const result = await subAgents.runAndStore(sourceAnalyzerId, (emitStep) =>
      analyzeSource(source, { model, timeoutMs, focus, signal, emitStep }),
    );
    return { ...result, data: analysisForModel(result.data) };
  },
});

const spawnPipelineValidator = defineTool({
  name: 'spawn_pipeline_validator',
  description:
    'Starts a sub-agent that tests the proposed pipeline on a sample of the source, and waits for it. Returns what succeeded, what failed and why, and possible fixes. Takes up to several minutes.',
  effect: 'read',
  runsSideBySide: true,
  parameters: z.strictObject({ focus: z.string().max(1000).default('') }),
  summarize: () => 'Validate the pipeline',
  execute: async ({ services: { subAgents }, signal }: ToolContext<PipelineAgentServices>, { focus }) => {
    const { trial, model, timeoutMs } = subAgents;
    const result = await subAgents.runAndStore(pipelineValidatorId, (emitStep) =>
      validatePipeline(trial, { model, timeoutMs, focus, signal, emitStep }),
    );
    return { ...result, data: validationForModel(result.data, await trial.pipeline()) };
  },
});

/** Reduces each alternative to the parts that differ from the proposal, as build_pipeline takes them. */
function validationForModel(data: JsonObject, current: Pipeline): JsonObject {
  const { alternatives } = data;
  if (!Array.isArray(alternatives)) return data;
  const parts = Object.entries(current).map(([name, part]) => [name, JSON.stringify(part)] as const);
  const differing = (other: JsonObject) =>
    Object.fromEntries(
      Object.entries(other).filter(
        ([name, part]) => !parts.some(([each, text]) => each === name && text === JSON.stringify(part)),
      ),
    );
  const shown = (alternatives as JsonObject[]).map(({ pipeline: other, ...counts }) => ({
    ...counts,
    pipeline: differing(other as JsonObject),
  }));
  return { ...data, alternatives: shown };
}

const applyPipeline = defineTool({
  name: 'apply_pipeline',
  description:
    'Asks the person to apply the proposed pipeline under this name. Call it in a later answer than build_pipeline. It ends your message.',
  effect: 'write',
  target: 'subject',
  argumentRoles: { collection_name: 'content' },
  // Strict: only the user can override, so an override from a model is refused, not ignored.
  parameters: z.strictObject({ collection_name: artifactName }),
  summarize: ({ collection_name }) => `Apply the pipeline as the collection “${collection_name}”`,
  // The user applies the pipeline by a request of their own; this call never does.
  execute: async () => {
    throw new DomainError('forbidden', 'person_applies', 'Only the person can apply the pipeline.');
  },
});

/** All tools of the pipeline agent. */
export const pipelineAgentTools = createToolset<PipelineAgentServices>([
  listPlugins,
  getPluginDetails,
  listTemplates,
  getPipelineState,
  buildPipeline,
  spawnSourceAnalyzer,
  spawnPipelineValidator,
  applyPipeline,
]);
