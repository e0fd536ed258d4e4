import { DomainError, extensionsOf, type Pipeline, type PluginInfo, type PluginKind } from '@docwright/contract';
import { z } from 'zod';
import { heading } from './chunkers/heading.ts';
import { page } from './chunkers/page.ts';
import { recursive } from './chunkers/recursive.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { docx } from './parsers/docx.ts';
import { email } from './parsers/email.ts';
import { html } from './parsers/html.ts';
import { ocr } from './parsers/ocr.ts';
import { pdfText } from './parsers/pdf-text.ts';
import { plain } from './parsers/plain.ts';
import { spreadsheet } from './parsers/spreadsheet.ts';
import type { ChunkerPlugin, ParserPlugin, Plugin } from './definition/plugin.ts';
import { promptExtractor } from './prompt-extractor.ts';
import { searchIndex } from './search-index.ts';

const parsers: ParserPlugin[] = [pdfText, ocr, docx, spreadsheet, html, email, plain];
const chunkers: ChunkerPlugin[] = [recursive, heading, page];
const plugins: Plugin[] = [...parsers, promptExtractor, ...chunkers, openAiCompatible, searchIndex];

/** All plugins, or those of one kind, with the JSON Schema of their config. */
export function listPlugins(kind?: PluginKind): PluginInfo[] {
  return plugins
    .filter((plugin) => kind === undefined || plugin.kind === kind)
    .map(({ config, ...plugin }) => ({
      id: plugin.id,
      kind: plugin.kind,
      name: plugin.name,
      description: plugin.description,
      config_schema: z.toJSONSchema(config, { io: 'input' }),
    }));
}

/** The usual parser of each kind of file, as a pipeline names them. */
export const usualParsers: Pipeline['parsers'] = parsers.map(({ id, reads, usualFallback }) => ({
  extensions: reads.flatMap(extensionsOf),
  plugin_id: id,
  config: {},
  ...(usualFallback !== undefined && { fallback_plugin_id: usualFallback }),
}));

/** Throws `unknown_plugin`. */
export const parserNamed = (id: string): ParserPlugin => named(parsers, 'parser', id);
/** Throws `unknown_plugin`. */
export const chunkerNamed = (id: string): ChunkerPlugin => named(chunkers, 'chunker', id);
/** Throws `unknown_plugin`. */
export const embedderNamed = (id: string): typeof openAiCompatible => named([openAiCompatible], 'embedder', id);

function named<Kind extends Plugin>(choices: readonly Kind[], kind: PluginKind, id: string): Kind {
  const found = choices.find((plugin) => plugin.id === id);
  if (found) return found;
  const known = choices.map((plugin) => plugin.id).join(', ');
  throw new DomainError('invalid', 'unknown_plugin', `There is no ${kind} "${id}". There are: ${known}.`);
}
