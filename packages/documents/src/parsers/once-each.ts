import type { Block } from '../flow/block.ts';

/** The blocks of headers or footers, each text once: first and later pages often share texts. */
export function onceEach(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>();
  return blocks.filter((block) => {
    if (block.kind === 'picture' || block.kind === 'page_break') return block.kind === 'picture';
    const key = JSON.stringify(block, (name, value: unknown) => (name === 'bytes' ? '' : value));
    if (block.kind === 'gap' || !seen.has(key)) {
      seen.add(key);
      return true;
    }
    return false;
  });
}
