import type { TurnEvent } from '@docwright/contract';
import { expect, test } from 'vitest';
import { createTurnPrinter } from './turn-printer.ts';

function printed(events: TurnEvent[]): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const printer = createTurnPrinter({
    isLive: false,
    style: (_, text) => text,
    stream: write,
    whisper: write,
    note: (text) => write(`(${text})\n`),
  });
  for (const event of events) printer.event(event);
  printer.endLine();
  return written;
}

const started = { type: 'turn_started', turn_id: 't', thread_id: 'h', model: 'm' } as const;

test('prints a note before an answer that starts again in another process', () => {
  const text = printed([
    started,
    { type: 'assistant_text_chunk', chunk: 'The total' },
    { ...started, resumed: true },
    { type: 'assistant_text_chunk', chunk: 'The total is 5.' },
  ]);
  expect(text).toBe('The total\n(The server was interrupted: this answer starts again.)\nThe total is 5.\n');
});

test('prints no note if nothing of the round was printed before', () => {
  expect(printed([started, { ...started, resumed: true }])).toBe('');
});
