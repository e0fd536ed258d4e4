/**
 * Splits growing markdown into blocks that render independently, so that each chunk renders only the last one again.
 * Blocks end at blank lines; code fences, lists with gaps and indented continuations stay whole. Very long lists and
 * tables are split; each part of a table repeats the head.
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
    if (fence === undefined && lines.length >= maxLines) {
      const head = tableHead(lines);
      if (head || (isItem(lines[0]) && isItem(line))) close();
      if (head) lines.push(...head);
    }
    lines.push(line);
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
  }
  close();
  return blocks;
}

/** A block of this size renders within a few milliseconds. */
const maxLines = 60;

const isItem = (line: string | undefined) => line !== undefined && /^([-*+]|\d{1,9}[.)])\s/.test(line);

function tableHead([names, delimiters]: string[]): [string, string] | undefined {
  const isTable =
    names?.includes('|') === true && /^\s{0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/.test(delimiters ?? '');
  return isTable && names !== undefined && delimiters !== undefined ? [names, delimiters] : undefined;
}

const listItem = /^\s{0,3}([-*+]|\d{1,9}[.)])\s/;

/** Whether a line after a blank line still belongs to the list above. */
function continues(lines: string[], line: string): boolean {
  const [first] = lines;
  return first !== undefined && listItem.test(first) && (listItem.test(line) || /^\s{2,}\S/.test(line));
}
