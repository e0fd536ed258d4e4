import type { OutputStream } from './output.ts';
import { truncateToWidth } from './terminal-text.ts';

/** One line at the bottom of stderr that is overwritten; nothing without a terminal. */
export interface ProgressLine {
  show: (text: string) => void;
  /** Writes a permanent line above it. */
  keep: (text: string) => void;
  clear: () => void;
}

const minIntervalMs = 80;

export function createProgressLine(stderr: OutputStream, isLive: boolean): ProgressLine {
  let shown = '';
  let last = 0;
  const erase = () => {
    if (shown !== '') stderr.write('\r\u001b[K');
    shown = '';
  };
  return {
    show(text) {
      const now = Date.now();
      if (!isLive || text === shown || now - last < minIntervalMs) return;
      last = now;
      const line = truncateToWidth(text, Math.max(20, (stderr.columns ?? 80) - 1));
      erase();
      stderr.write(line);
      shown = line;
    },
    keep(text) {
      erase();
      last = 0;
      stderr.write(`${text}\n`);
    },
    clear: erase,
  };
}

const width = 20;

/** `███████░░░░░`, for a fraction from 0 to 1. */
export function bar(fraction: number): string {
  const full = Math.round(Math.max(0, Math.min(1, fraction)) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

const units = ['B', 'kB', 'MB', 'GB'];

/** `512 B`, `1.2 MB` */
export function readableBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
