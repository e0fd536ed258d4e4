import { gridColumns } from './grid-pages.ts';

const tabWidth = 8;

/** Wraps running text at spaces to fit a page, and expands tabs. A word longer than a line is not split. */
export function wrapLines(text: string): string[] {
  return text.split('\n').flatMap((line) => wrapLine(expandTabs(line).trimEnd()));
}

function wrapLine(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > gridColumns) {
    const room = rest.lastIndexOf(' ', gridColumns);
    const isIndent = rest.slice(0, Math.max(0, room)).trim() === '';
    const end = isIndent ? rest.indexOf(' ', gridColumns) : room;
    if (end === -1) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let expanded = '';
  for (const part of line.split('\t')) {
    if (expanded !== '' || line.startsWith('\t')) expanded += ' '.repeat(tabWidth - (expanded.length % tabWidth));
    expanded += part;
  }
  return expanded;
}
