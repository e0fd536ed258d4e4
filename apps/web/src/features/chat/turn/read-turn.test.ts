import type { TurnEvent } from '@docwright/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readTurn } from './read-turn.ts';
import { recordedTurn } from '../testing/recorded-turn.ts';

const place = { orgId: 'o', documentId: 'd' };
const frames = recordedTurn.segments[0]!.frames;
const asText = (from: number, to: number) =>
  frames
    .slice(from, to)
    .map(({ id, event }) => `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('readTurn', () => {
  it('resumes after the last event when the connection breaks', async () => {
    const follow = vi.fn(async (_path: string, _init: RequestInit) => new Response(asText(4, frames.length)));
    vi.stubGlobal('fetch', follow);
    const seen: TurnEvent[] = [];
    await readTurn({
      place,
      // Breaks in the middle of an event.
      open: () => Promise.resolve(new Response(`${asText(0, 4)}id: 5\ndata: {"ty`)),
      signal: new AbortController().signal,
      onFrame: ({ event }) => seen.push(event),
    });
    const [path, init] = follow.mock.calls[0]!;
    const started = frames[0]!.event;
    expect(path).toContain(started.type === 'turn_started' ? started.turn_id : '?');
    expect(init.headers).toMatchObject({ 'last-event-id': '4' });
    expect(seen).toEqual(frames.map(({ event }) => event));
  });

  it('goes on at the next server as often as one says that it stops', async () => {
    const stopping = 'retry: 500\nevent: stopping\ndata: {"type":"stopping"}\n\n';
    const parts = [...Array.from({ length: 6 }, () => stopping), asText(4, frames.length)];
    vi.stubGlobal('fetch', async () => new Response(parts.shift()));
    vi.useFakeTimers();
    const seen: TurnEvent[] = [];
    const reading = readTurn({
      place,
      open: () => Promise.resolve(new Response(asText(0, 4) + stopping)),
      signal: new AbortController().signal,
      onFrame: ({ event }) => seen.push(event),
    });
    const ended = reading.then(() => true);
    while (!(await Promise.race([ended, vi.advanceTimersByTimeAsync(500).then(() => false)])));
    expect(seen).toEqual(frames.map(({ event }) => event));
  });

  it('throws the error that the server answers instead of a stream', async () => {
    const rejection = new Error('The budget is used up.');
    const reading = readTurn({
      place,
      open: () => Promise.reject(rejection),
      signal: new AbortController().signal,
      onFrame: () => {},
    });
    await expect(reading).rejects.toBe(rejection);
  });
});
