import type { PageWord } from '../layout/page-word.ts';
import type { FieldText } from './form-fields.ts';

/** Points: a common font size of forms. */
const COMMON_SIZE = 11;
const LINE_HEIGHT = 1.2;
/** Average width of a character in font sizes. */
const CHARACTER_WIDTH = 0.5;
const PADDING = 2;

/** Words of a field's value, placed within its box about as a viewer draws them. */
export function fieldWords({ text, isMultiline, x0, y0, x1, y1 }: FieldText): PageWord[] {
  const width = Math.max(1, x1 - x0 - 2 * PADDING);
  const size = Math.min(COMMON_SIZE, (y1 - y0) / LINE_HEIGHT);
  const lines = text
    .split(/\r\n?|\n/)
    .flatMap((line) => (isMultiline ? wrap(line, Math.max(1, Math.floor(width / (size * CHARACTER_WIDTH)))) : [line]));
  const height = Math.min(size * LINE_HEIGHT, (y1 - y0) / lines.length);
  const top = isMultiline ? y0 : (y0 + y1 - height * lines.length) / 2;
  return lines.flatMap((line, index) => lineWords(line, x0 + PADDING, top + index * height, width, height, size));
}

function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function lineWords(line: string, left: number, top: number, width: number, height: number, size: number): PageWord[] {
  const step = Math.min(size * CHARACTER_WIDTH, width / Math.max(1, line.length));
  return [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    x0: left + index * step,
    y0: top,
    x1: left + (index + text.length) * step,
    y1: top + height,
    direction: 'right',
  }));
}
