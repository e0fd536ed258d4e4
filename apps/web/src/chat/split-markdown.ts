/**
 * Splits growing markdown into blocks that can be drawn on their own, so that only the last one is drawn anew with every
 * chunk. Blocks end at blank lines; code fences, lists with gaps and indented continuations stay whole.
 */
export function splitMarkdown(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let gap = false;
  const close = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && line.trim() === '') {
      gap = true;
      continue;
    }
    if (gap && fence === undefined) {
      if (continues(lines, line)) lines.push('');
      else close();
    }
    gap = false;
    lines.push(line);
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
  }
  close();
  return blocks;
}

const listItem = /^\s{0,3}([-*+]|\d{1,9}[.)])\s/;

/** Whether a line after a gap still belongs to the list above it. */
function continues(lines: string[], line: string): boolean {
  const [first] = lines;
  return first !== undefined && listItem.test(first) && (listItem.test(line) || /^\s{2,}\S/.test(line));
}
