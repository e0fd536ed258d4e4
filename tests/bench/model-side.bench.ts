import fs from 'node:fs';
import path from 'node:path';
import { ownStory } from './model-side/own-story.ts';
import { playDemo } from './model-side/play-demo.ts';
import { playDesigner } from './model-side/play-designer.ts';
import { playDocument } from './model-side/play-document.ts';
import { playPipeline } from './model-side/play-pipeline.ts';
import { playTasks } from './model-side/play-tasks.ts';
import type { Played } from './model-side/play-turn.ts';
import type { RecordedStep } from './model-side/recorded.ts';

/**
 * The cost of requests to a model. Recorded stories (the answers of a strong model) are played against the current product,
 * which makes the requests. For each story the benchmark reports, beside the recorded figures: requests, input characters and
 * approximate tokens, the share of a request that the next one begins with, output characters, and decisions of the user.
 *
 * BENCH_STORIES is a folder of .jsonl files, one request and its answer in each line. Without it, and in the short form, a small
 * built-in story is played. Calls that the current tools make unnecessary are removed from the answers, as a model with the
 * current rules would do: help, a check before a creation, a whole schema to change one field, a look at a page that is known to
 * be empty, and lists that the tail of the request already has.
 */
const folder = process.env['BENCH_SHORT'] === 'true' ? undefined : process.env['BENCH_STORIES'];
const stories: [string, RecordedStep[]][] =
  folder === undefined
    ? [['own', ownStory]]
    : fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => [
          path.basename(name, '.jsonl'),
          fs
            .readFileSync(path.join(folder, name), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as RecordedStep),
        ]);

const missed: string[] = [];
console.log(
  'story                        requests      input characters            tokens   kept of the one before   output   decisions',
);
for (const [name, steps] of stories) {
  const recorded = steps.map(({ request }) => JSON.stringify(request));
  report(name, await playerOf(steps)(steps, name.endsWith('unattended')), recorded);
}
const demo = await playDemo();
report('demo model, an invoice', demo);
if (demo.requests.length > 5 || demo.decisions > 2) {
  missed.push(
    `The demo model takes ${demo.requests.length} requests and ${demo.decisions} decisions, of at most 5 and 2.`,
  );
}
if (missed.length > 0) throw new Error(missed.join('\n'));

function report(name: string, played: Played, recorded?: readonly string[]): void {
  const [before, after] = [charactersOf(recorded ?? []), charactersOf(played.requests)];
  const share = played.threads.flatMap(sharesOf);
  const least = share.length === 0 ? 1 : Math.min(...share);
  if (least < 0.9) missed.push(`A request of ${name} keeps ${least.toFixed(3)} of the one before it, of at least .9.`);
  const [requests, characters] =
    recorded === undefined
      ? [`${played.requests.length}`, `${after}`]
      : [
          `${recorded.length} → ${played.requests.length}`,
          `${before} → ${after} (${((100 * after) / before).toFixed(0)} %)`,
        ];
  console.log(
    [
      name.padEnd(28),
      requests.padEnd(12),
      characters.padEnd(28),
      `${Math.round(after / 4)}`.padEnd(8),
      `${(100 * mean(share)).toFixed(1)} %, least ${(100 * least).toFixed(1)} %`.padEnd(24),
      `${played.output}`.padEnd(8),
      `${played.decisions}`,
    ].join(' '),
  );
  const { more } = played;
  if (more === undefined) return;
  const alike = after - charactersOf(more.requests);
  console.log(
    `  without ${more.requests.length} requests for ${more.what}: ${alike} (${((100 * alike) / before).toFixed(0)} %)`,
  );
}

function charactersOf(requests: readonly string[]): number {
  return requests.reduce((sum, text) => sum + text.length, 0);
}

/** The agent of a story, derived from the tools of its first request. */
function playerOf([first]: RecordedStep[]): (steps: RecordedStep[], isUnattended: boolean) => Promise<Played> {
  const offers = (tool: string) => first?.request.tools?.some((each) => each.function.name === tool) === true;
  if (offers('add_task')) return playTasks;
  if (offers('add_column')) return playDesigner;
  if (offers('apply_pipeline')) return playPipeline;
  return playDocument;
}

/** The share of each request that the next one begins with. */
function sharesOf(requests: readonly string[]): number[] {
  return requests.slice(1).map((request, at) => {
    const before = requests[at]!;
    let length = 0;
    while (length < before.length && before[length] === request[length]) length++;
    return length / before.length;
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
