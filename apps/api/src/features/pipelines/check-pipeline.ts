import { DomainError, pipeline as pipelineShape, type Pipeline } from '@docwright/contract';
import { z } from 'zod';
import { chunkerNamed, embedderNamed, parserNamed, type Plugin } from '../plugins/index.ts';

/**
 * Validates a pipeline from outside and fills in the defaults of its configs. Throws `invalid_pipeline`,
 * `unknown_plugin` or `invalid_plugin_config`, each with the correction.
 */
export function checkPipeline(given: unknown): Pipeline {
  const shape = pipelineShape.safeParse(given);
  if (!shape.success) throw new DomainError('invalid', 'invalid_pipeline', z.prettifyError(shape.error));
  const { parsers, chunker, embedder, ...rest } = shape.data;
  const seen = new Set<string>();
  for (const extension of parsers.flatMap(({ extensions }) => extensions)) {
    if (seen.has(extension)) {
      const message = `Two parsers name the extension "${extension}". Name it once, and the second parser as fallback.`;
      throw new DomainError('invalid', 'invalid_pipeline', message);
    }
    seen.add(extension);
  }
  return {
    ...rest,
    parsers: parsers.map((entry) => {
      if (entry.fallback_plugin_id !== undefined) parserNamed(entry.fallback_plugin_id);
      return { ...entry, config: checkedConfig(parserNamed(entry.plugin_id), entry.config) };
    }),
    chunker: { ...chunker, config: checkedConfig(chunkerNamed(chunker.plugin_id), chunker.config) },
    embedder: embedder && { ...embedder, config: checkedConfig(embedderNamed(embedder.plugin_id), embedder.config) },
  };
}

function checkedConfig(plugin: Plugin, config: Record<string, unknown>): Record<string, unknown> {
  const checked = plugin.config.safeParse(config);
  if (checked.success) return checked.data;
  const message = `The config of ${plugin.id} is invalid: ${z.prettifyError(checked.error)}`;
  throw new DomainError('invalid', 'invalid_plugin_config', message);
}
