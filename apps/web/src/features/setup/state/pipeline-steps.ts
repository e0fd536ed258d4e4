import type { JsonObject, Pipeline, PluginInfo } from '@docwright/contract';
import { isRecord } from '../../../shared/http/json-value.ts';

export type StepKind = 'parse' | 'extract' | 'chunk' | 'embed' | 'index';

/** One choice within a step: a plugin with its config. */
export interface StepPart {
  /** The file extensions of a parser, such as `pdf`. */
  extensions: readonly string[];
  plugin: string;
  description: string | undefined;
  config: JsonObject;
  /** The plugin for files that the first one cannot read. */
  fallback: string | undefined;
  /** Whether it differs from the previous pipeline. */
  isChanged: boolean;
}

export interface PipelineStep {
  kind: StepKind;
  label: string;
  parts: readonly StepPart[];
  /** Shown if the step has no plugin. */
  note: string | undefined;
  isChanged: boolean;
}

const labels: Record<StepKind, string> = {
  parse: 'Parse',
  extract: 'Extract',
  chunk: 'Chunk',
  embed: 'Embed',
  index: 'Index',
};

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The steps of a pipeline. Parts that differ from `before` are marked; undefined marks nothing. */
export function pipelineSteps(
  pipeline: Pipeline,
  before: Pipeline | null | undefined,
  plugins: readonly PluginInfo[],
): PipelineStep[] {
  const known = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const name = (id: string) => known.get(id)?.name ?? id;
  const part = (id: string, config: JsonObject, isChanged: boolean): StepPart => ({
    extensions: [],
    plugin: name(id),
    description: known.get(id)?.description,
    config,
    fallback: undefined,
    isChanged,
  });
  const differs = (one: unknown, other: unknown) => before !== undefined && before !== null && !same(one, other);
  const { parsers, extract, chunker, embedder } = pipeline;
  const isNewParser = (parser: Pipeline['parsers'][number]) =>
    before !== undefined && before !== null && !before.parsers.some((each) => same(each, parser));
  const step = (kind: StepKind, parts: StepPart[], isChanged: boolean, note?: string): PipelineStep => ({
    kind,
    label: labels[kind],
    parts,
    note,
    isChanged,
  });
  const chunkerDiffers = differs(chunker, before?.chunker);
  const embedderDiffers = differs(embedder, before?.embedder);
  const extractDiffers = differs(extract, before?.extract);
  return [
    step(
      'parse',
      parsers.map((parser) => ({
        ...part(parser.plugin_id, parser.config, isNewParser(parser)),
        extensions: parser.extensions,
        fallback: parser.fallback_plugin_id === undefined ? undefined : name(parser.fallback_plugin_id),
      })),
      differs(parsers, before?.parsers),
    ),
    step(
      'extract',
      extract === undefined ? [] : [part('prompt_extractor', { ...extract }, extractDiffers)],
      extractDiffers,
      extract === undefined ? 'No fields' : undefined,
    ),
    step('chunk', [part(chunker.plugin_id, chunker.config, chunkerDiffers)], chunkerDiffers),
    step(
      'embed',
      embedder === null ? [] : [part(embedder.plugin_id, embedder.config, embedderDiffers)],
      embedderDiffers,
      embedder === null ? 'Keywords only' : undefined,
    ),
    step('index', [part('search_index', {}, false)], false),
  ];
}

/** Describes a step in one sentence, for screen readers. */
export function stepSentence({ label, parts, note, isChanged }: PipelineStep): string {
  const descriptions = parts.map(({ extensions, plugin, fallback }) => {
    const files = extensions.length === 0 ? '' : ` for ${extensionLabel(extensions)}`;
    return `${plugin}${files}${fallback === undefined ? '' : `, otherwise ${fallback}`}`;
  });
  return `${label}: ${descriptions.length === 0 ? (note ?? '') : descriptions.join('; ')}${isChanged ? ', changed' : ''}`;
}

export const extensionLabel = (extensions: readonly string[]): string =>
  extensions.map((extension) => (extension === '*' ? 'all others' : extension)).join(', ');

/**
 * Describes how a pipeline differs from another, one sentence for each step: “Parse: OCR for pdf”. Missing settings have
 * the plugin's defaults.
 */
export function differenceLabels(given: Pipeline, other: Pipeline, plugins: readonly PluginInfo[]): string[] {
  const from = withDefaults(other, plugins);
  const earlier = pipelineSteps(from, undefined, plugins).flatMap(({ parts }) => parts);
  return pipelineSteps(withDefaults(given, plugins), from, plugins)
    .filter(({ isChanged }) => isChanged)
    .map((step) => {
      const parts = step.parts
        .filter(({ isChanged }) => isChanged)
        .map((part) => ({ ...part, plugin: part.plugin + otherSettings(part, earlier) }));
      if (parts.length === 0 && step.parts.length > 0) return `${step.label}: fewer kinds of files`;
      return stepSentence({ ...step, parts, isChanged: false });
    });
}

function withDefaults(pipeline: Pipeline, plugins: readonly PluginInfo[]): Pipeline {
  const complete = (id: string, config: JsonObject): JsonObject => {
    const properties = plugins.find((plugin) => plugin.id === id)?.config_schema['properties'];
    const defaults = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, property]) =>
      isRecord(property) && 'default' in property ? [[name, property['default']]] : [],
    );
    return { ...Object.fromEntries(defaults), ...config };
  };
  return {
    ...pipeline,
    parsers: pipeline.parsers.map(({ extensions, plugin_id, config, ...fallback }) => ({
      extensions,
      plugin_id,
      config: complete(plugin_id, config),
      ...fallback,
    })),
    chunker: {
      plugin_id: pipeline.chunker.plugin_id,
      config: complete(pipeline.chunker.plugin_id, pipeline.chunker.config),
    },
  };
}

function otherSettings({ plugin, extensions, config }: StepPart, earlier: readonly StepPart[]): string {
  const before = earlier.find((each) => each.plugin === plugin && same(each.extensions, extensions));
  if (before === undefined) return '';
  const set = Object.entries(config).filter(([name, value]) => !same(value, before.config[name]));
  const descriptions = set.map(([name, value]) => `${name.replaceAll('_', ' ')} ${shownSetting(value)}`);
  return descriptions.length === 0 ? '' : ` (${descriptions.join(', ')})`;
}

/** Formats the value of a setting. */
export const shownSetting = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
