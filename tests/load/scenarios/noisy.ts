import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../check.ts';
import { createReport, type Report } from '../report.ts';
import { createTraffic, inParallel, type Traffic } from '../traffic.ts';
import type { StoryScenario } from './stories.ts';

/** How much longer another organization may wait, in milliseconds: the contract's bound for each kind of request. */
const maxDelayMs = 2_000;
const noisyAtOnce = 40;
const firstCalmStory = 1_000_000;

/**
 * One organization uploads and chats, 40 stories at once, and opens lists. `size` stories of another one, one after the other, are
 * timed before that and beside it: of each kind, the 90th percentile may grow by two seconds.
 */
export const noisy: StoryScenario = async (laboratory, { size }) => {
  const report = createReport(laboratory);
  const loud = await createTraffic(laboratory, named(report, ''));
  const other = await laboratory.otherOrganization();
  const before = await createTraffic(other, named(report, 'other organization alone: '));
  // The first requests of each process compile their code.
  const warm = await createTraffic(laboratory, named(report, 'warm-up: '));
  await inParallel(numbers(firstCalmStory * 2, 40), 10, report, (story) => tell(warm, story));
  await inParallel(numbers(firstCalmStory, size), 1, report, (story) => tell(before, story));

  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const beside = await createTraffic(other, named(report, 'other organization beside it: '));
  const told: number[] = [];
  const stories = function* () {
    for (let story = 0; !isOver(); story += 1) {
      told.push(story);
      yield story;
    }
  };
  const noise = Promise.all([
    inParallel(stories(), noisyAtOnce, report, (story) => tell(loud, story)),
    loud.look(isOver),
  ]);
  await sleep(3_000);
  await inParallel(numbers(firstCalmStory + size, size), 1, report, (story) => tell(beside, story));
  over.abort();
  await noise;
  const all = report.percentiles();
  for (const [kind, { p90 }] of Object.entries(all)) {
    const [, name] = /^other organization beside it: (.+)$/u.exec(kind) ?? [];
    const alone = all[`other organization alone: ${name}`];
    if (alone !== undefined && p90 > alone.p90 + maxDelayMs) {
      report.problem(`${name} took ${p90} ms beside the noise, and ${alone.p90} ms alone`);
    }
  }
  await check(laboratory, { uploaded: told, chatted: told }, report);
  return report;
};

async function tell(traffic: Traffic, story: number): Promise<void> {
  const documentId = await traffic.upload(story);
  await traffic.approve(story, documentId, await traffic.ask(story, documentId));
}

const numbers = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

/** The same report, with names of kinds that begin with the text. */
const named = (report: Report, text: string): Pick<Report, 'time' | 'retried' | 'problem'> => ({
  ...report,
  time: (kind, run) => report.time(text + kind, run),
});
