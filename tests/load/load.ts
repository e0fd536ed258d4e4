import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLaboratory, type Laboratory, type Roles } from './laboratory.ts';
import { curvesOf } from './curves.ts';
import { formerRelease } from './former-release.ts';
import { keepIn, readMeasurements } from './measured.ts';
import { bare } from './scenarios/bare.ts';
import { drag } from './scenarios/drag.ts';
import { idle } from './scenarios/idle.ts';
import { lists } from './scenarios/lists.ts';
import { million } from './scenarios/million.ts';
import type { Percentiles } from './report.ts';
import { noisy } from './scenarios/noisy.ts';
import { pages } from './scenarios/pages.ts';
import {
  burst,
  databaseAway,
  halfKilled,
  rollingRestart,
  rollingUpgrade,
  soak,
  steady,
  stories,
  waiting,
  type StoryScenario,
} from './scenarios/stories.ts';
import { startQuickModel, turns } from './scenarios/turns.ts';
import { seed, type Seeded } from './seed.ts';
import { startPacedModel } from './traffic.ts';

/**
 * `npm run load -- SCENARIO [--size 1000,10000] [--processes 1+1] [--folder PATH] [--minutes 10] [--from COMMIT]`:
 * measures whole installations. `--only "trash"` of `lists` names the beginning of its looks. A folder is kept, and its documents are used again. `rolling-upgrade` begins with the release
 * of `--from`, a commit, a tag or a folder. `--keep FILE` adds what `lists` and stories measure to a file, and
 * `draw FILE FOLDER` makes the curves of that file.
 */
const measurements: Record<string, (laboratory: Laboratory, seeded: Seeded) => Promise<Record<string, unknown>>> = {
  /** Only makes the documents. */
  fill: async () => ({}),
  bare,
  idle,
  lists: (laboratory, seeded) => lists(laboratory, seeded, { only: values.only }),
  million,
  pages,
  turns,
};
/** Each has a new folder and clients that lose nothing; the command fails if they did. */
const scenarios: Record<string, StoryScenario> = {
  stories,
  steady,
  burst,
  waiting,
  noisy,
  drag,
  'rolling-restart': rollingRestart,
  'rolling-upgrade': rollingUpgrade,
  'half-killed': halfKilled,
  'database-away': databaseAway,
  soak,
};
/** Of each half of an answer of the model. */
const paceMs = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    processes: { type: 'string' },
    folder: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    from: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string' },
  },
});
const name = positionals[0] ?? '';
if (name === 'draw') {
  const [, file = '', folder = ''] = positionals;
  for (const [own, svg] of Object.entries(curvesOf(readMeasurements(file)))) {
    fs.writeFileSync(path.join(folder, own), svg);
  }
  process.exit(0);
}
const [measurement, story] = [measurements[name], scenarios[name]];
if (measurement === undefined && story === undefined) {
  console.error(`Name a scenario: ${[...Object.keys(measurements), ...Object.keys(scenarios)].join(', ')}.`);
  process.exit(2);
}
if (measurement) await measure(measurement);
if (story) await tell(story);

async function measure(scenario: (typeof measurements)[string]): Promise<void> {
  const model = name === 'turns' ? await startQuickModel() : undefined;
  const laboratory = await openLaboratory(rolesOf(values.processes ?? '1+0'), {
    folder: values.folder,
    ...(model && { settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'scripted' } }),
  });
  try {
    for (const size of (values.size ?? (name === 'million' ? '1000000' : '1000')).split(',').map(Number)) {
      const start = performance.now();
      const seeded = await seed(laboratory, size);
      console.log(`${name}: ${size} documents after ${Math.round((performance.now() - start) / 1000)} s`);
      const keep = values.keep === undefined ? undefined : keepIn(values.keep);
      const [begun, before] = [performance.now(), total(laboratory.processor())];
      const measured = await scenario(laboratory, seeded);
      console.table(measured);
      if (name !== 'lists') continue;
      keep?.({
        scenario: name,
        processes: values.processes ?? '1+0',
        size,
        seconds: Math.round((performance.now() - begun) / 1000),
        processorMs: total(laboratory.processor()) - before,
        kinds: Object.fromEntries(
          Object.entries(measured).filter((entry): entry is [string, Percentiles] => isPercentiles(entry[1])),
        ),
      });
    }
  } finally {
    await laboratory.stop();
    model?.stop();
  }
}

async function tell(scenario: StoryScenario): Promise<void> {
  const isUpgrade = name === 'rolling-upgrade';
  if (isUpgrade && values.from === undefined) {
    console.error('Name the former release: --from COMMIT.');
    process.exit(2);
  }
  for (const size of (values.size ?? '200').split(',').map(Number)) {
    const model = await startPacedModel(paceMs);
    const processes = values.processes ?? '2+2';
    const laboratory = await openLaboratory(rolesOf(processes), {
      settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'scripted', ALLOW_SIGNUP: 'true' },
      isDatabaseRemote: name === 'database-away' || isUpgrade,
      formerRelease: isUpgrade ? formerRelease(values.from!) : undefined,
    });
    try {
      const load = os.loadavg()[0]!.toFixed(1);
      console.log(`${name}: ${size} stories, ${processes} processes, ${os.cpus().length} cores with a load of ${load}`);
      const keep = values.keep === undefined ? undefined : keepIn(values.keep);
      const report = await scenario(laboratory, { size, minutes: Number(values.minutes) });
      keep?.({ scenario: name, processes, size, ...report.spent(), kinds: report.percentiles() });
      report.print();
      if (report.problems.length > 0) process.exitCode = 1;
    } finally {
      await laboratory.stop();
      model.stop();
    }
  }
}

/** `2+2` is two API and two worker processes, `1+0` one process that does both. */
function rolesOf(text: string): Roles {
  const [api = 1, worker = 0] = text.split('+').map(Number);
  return { api, worker };
}

function total(processor: Record<string, number>): number {
  return Object.values(processor).reduce((sum, ms) => sum + ms, 0);
}

/** A request that failed is a text. */
function isPercentiles(one: unknown): one is Percentiles {
  return typeof one === 'object' && one !== null && 'p99' in one;
}
