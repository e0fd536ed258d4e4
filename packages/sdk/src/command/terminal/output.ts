import { styleText } from 'node:util';
import stringWidth from 'fast-string-width';
import { padToWidth, printableJson, printableLine, truncateToWidth } from './terminal-text.ts';

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Results go to stdout, messages to the user to stderr, so that a pipe contains only results. */
export interface Output {
  readonly json: boolean;
  /** Whether stderr is a terminal: only then are there progress and colours. */
  readonly isLive: boolean;
  /** A result in readable form, as one or more lines on stdout. Nothing with `--json`. */
  print(text: string): void;
  /** A part of a streamed result, without a line end. */
  stream(text: string): void;
  /** The one JSON document of `--json`. Nothing without it. */
  data(value: unknown): void;
  /** One line of JSON of a stream. Nothing without `--json`. */
  line(value: unknown): void;
  /** A message to the user, on stderr. */
  note(text: string): void;
  /** A part of a streamed message, on stderr, without a line end. */
  whisper(text: string): void;
  /** A list on stdout: aligned columns in a terminal, tabs in a pipe. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
  style: (style: Style, text: string) => string;
}

export function createOutput(options: {
  stdout: OutputStream;
  stderr: OutputStream;
  json: boolean;
  color: boolean;
}): Output {
  const { stdout, stderr, json, color } = options;
  const isLive = stderr.isTTY === true;
  const style = (name: Style, text: string) =>
    color && isLive && text !== '' ? styleText(name, text, { validateStream: false }) : text;
  const print = (text: string) => {
    if (!json) stdout.write(`${text}\n`);
  };
  return {
    json,
    isLive,
    print,
    stream(text) {
      if (!json) stdout.write(text);
    },
    data(value) {
      if (json) stdout.write(`${printableJson(value, 2)}\n`);
    },
    line(value) {
      if (json) stdout.write(`${printableJson(value)}\n`);
    },
    note: (text) => void stderr.write(`${text}\n`),
    whisper: (text) => void stderr.write(text),
    table(head, rows) {
      if (json) return;
      const cells = rows.map((row) => row.map(printableLine));
      if (stdout.isTTY !== true) {
        for (const row of cells) print(row.join('\t'));
        return;
      }
      for (const line of aligned([head.map((title) => title.toUpperCase()), ...cells], stdout.columns ?? 100))
        print(line);
    },
    style,
  };
}

function aligned(rows: readonly (readonly string[])[], columns: number): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))));
  return rows.map((row) =>
    truncateToWidth(
      row.map((cell, at) => padToWidth(cell, widths[at] ?? 0)).join('  '),
      Math.max(40, columns),
    ).trimEnd(),
  );
}

/** Formats a timestamp of the API as `2026-11-25 22:30`. */
export function minuteOf(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ');
}

/** Whether colours are allowed: NO_COLOR, a dumb terminal and `--no-color` turn them off. */
export function wantsColor(env: NodeJS.ProcessEnv, flag: boolean): boolean {
  return flag && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
