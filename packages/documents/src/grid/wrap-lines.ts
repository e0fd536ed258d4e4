import { GRID_COLUMNS } from './grid-pages.ts';

const TAB = 8;

/** Wraps running text at spaces to fit a page, and expands tabs. A word longer than a line is not split. */
export function wrapLines(text: string): string[] {
  return text.split('\n').flatMap((line) => wrapLine(expandTabs(line).trimEnd()));
}

function wrapLine(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > GRID_COLUMNS) {
    const room = rest.lastIndexOf(' ', GRID_COLUMNS);
    const isIndent = rest.slice(0, Math.max(0, room)).trim() === '';
    const end = isIndent ? rest.indexOf(' ', GRID_COLUMNS) : room;
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
    if (expanded !== '' || line.startsWith('\t')) expanded += ' '.repeat(TAB - (expanded.length % TAB));
    expanded += part;
  }
  return expanded;
}
