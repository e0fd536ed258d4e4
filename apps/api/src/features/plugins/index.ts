export { splitText } from './chunkers/split-text.ts';
export type { Chunk, ParsedPage, Plugin } from './definition/plugin.ts';
export { chunkerNamed, embedderNamed, listPlugins, parserNamed, usualParsers } from './registry.ts';
