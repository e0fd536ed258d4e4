import type { Laboratory } from '../laboratory.ts';
import type { Seeded } from '../seed.ts';
import { bare } from './bare.ts';
import { lists } from './lists.ts';

/** What a page may take to show a list, in milliseconds of the slowest of a hundred looks. */
const maxListMs = 150;
const cursorPages = 200;
/** Chunks of an export between two looks at the memory. */
const chunksBetweenLooks = 50;

/**
 * All that the pages list, filter, sort, search and count, pages by cursor, exports of all results, and some of it beside a bare server:
 * in one run. Prints what took longer than it may.
 */
export async function million(laboratory: Laboratory, seeded: Seeded): Promise<Record<string, unknown>> {
  const looked = Object.entries(await lists(laboratory, seeded));
  const slow = looked.filter(([, one]) => typeof one === 'string' || one.p99 > maxListMs);
  console.log(
    `${looked.length} looks, ${looked.length - slow.length} of them within ${maxListMs} ms in 99 of 100 cases; the others:`,
  );
  console.table(Object.fromEntries(slow));
  if (slow.length > 0) process.exitCode = 1;
  console.log('Beside a bare server that sends the same reads:');
  console.table(await bare(laboratory, seeded));
  return {
    'documents by cursor': await pagesByCursor(laboratory),
    ...(await exports(laboratory, seeded)),
  };
}

async function pagesByCursor({ ask }: Laboratory) {
  const times: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < cursorPages; page += 1) {
    const begun = performance.now();
    const after: string = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    ({ next_cursor: cursor } = await ask<{ next_cursor?: string }>(`/documents?limit=100${after}`));
    times.push(performance.now() - begun);
    if (cursor === undefined) break;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { count: times.length, p50: at(0.5), p99: at(0.99) };
}

const formats = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Exports of all results of the prompt, one after the other. */
async function exports(laboratory: Laboratory, { prompt }: Seeded) {
  const { url, organizationId, token } = laboratory;
  const figures: Record<string, object> = {};
  for (const [name, accept] of Object.entries(formats)) {
    const [begun, before] = [performance.now(), sum(laboratory.memory())];
    const route = `${url}/v0/orgs/${organizationId}/prompts/${prompt.prompt_id}/results`;
    const response = await fetch(route, { headers: { authorization: `Bearer ${token}`, accept } });
    let [chunks, bytes, lines, most] = [0, 0, 0, before];
    for await (const chunk of response.body ?? []) {
      chunks += 1;
      bytes += chunk.length;
      if (name !== 'xlsx') lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
      if (chunks % chunksBetweenLooks === 0) most = Math.max(most, sum(laboratory.memory()));
    }
    const seconds = (performance.now() - begun) / 1000;
    figures[`export as ${name}`] = {
      status: response.status,
      seconds: Number(seconds.toFixed(1)),
      megabytes: Math.round(bytes / 1e6),
      'MB of memory more': Math.max(most, sum(laboratory.memory())) - before,
      ...(lines > 0 && { lines, 'lines a second': Math.round(lines / seconds) }),
    };
    if (!response.ok) process.exitCode = 1;
  }
  return figures;
}

const sum = (figures: Record<string, number>): number => Object.values(figures).reduce((a, b) => a + b, 0);
