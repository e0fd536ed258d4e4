import type { Pipeline } from '@docwright/contract';
import { printableLine } from '../terminal/terminal-text.ts';

/** `pdf: pdf_text (else ocr), txt: plain → invoice fields → recursive → words`. */
export function pipelineLine({ parsers, extract, chunker, embedder }: Pipeline): string {
  const read = parsers.map(({ extensions, plugin_id, fallback_plugin_id }) => {
    const otherwise = fallback_plugin_id === undefined ? '' : ` (else ${fallback_plugin_id})`;
    return `${extensions.map((extension) => (extension === '*' ? 'all others' : extension)).join(', ')}: ${plugin_id}${otherwise}`;
  });
  const steps = [
    read.join('; '),
    ...(extract === undefined ? [] : [`extraction by ${extract.prompt_revid}`]),
    chunker.plugin_id,
    embedder === null ? 'words' : `words and ${embedder.plugin_id}`,
  ];
  return printableLine(steps.join(' → '));
}
