import { setTimeout as sleep } from 'node:timers/promises';
import { check } from '../check.ts';
import type { Laboratory } from '../laboratory.ts';
import { createReport, type Report } from '../report.ts';
import { createTraffic, inParallel, type Conversation } from '../traffic.ts';
import { createWorkTraffic } from '../work-traffic.ts';

/** How much, and for how long. */
export interface Extent {
  size: number;
  minutes: number;
}

/** A scenario of clients whose every request must succeed in the end, once. Returns whether it did. */
export type StoryScenario = (laboratory: Laboratory, extent: Extent) => Promise<Report>;

const atOnce = 20;
const sumOf = (figures: Record<string, number>): number => Object.values(figures).reduce((sum, each) => sum + each, 0);
const numbersTo = (size: number): number[] => Array.from({ length: size }, (_, at) => at);

/**
 * Uploads of `size` files, 20 at once, until each has its text. Prints what one of the second half took: in the first, processes
 * start and compile their code, and the more processes, the more.
 */
export const burst: StoryScenario = async (laboratory, { size }) => {
  const report = createReport(laboratory);
  const traffic = await createTraffic(laboratory, report);
  const uploaded = numbersTo(size);
  const half = Math.floor(size / 2);
  const upload = async (stories: readonly number[]) =>
    inParallel(stories, atOnce, report, async (story) => void (await traffic.upload(story)));
  const spent = async () => [sumOf(laboratory.processor()), sumOf(await laboratory.commands())] as const;
  await upload(uploaded.slice(0, half));
  const [processorBefore, commandsBefore] = await spent();
  await upload(uploaded.slice(half));
  const [processor, commands] = await spent();
  const each = (sum: number) => (sum / (size - half)).toFixed(1);
  console.log(
    `each of the second half: ${each(processor - processorBefore)} ms of processor time, ${each(commands - commandsBefore)} commands`,
  );
  await check(laboratory, { uploaded, chatted: [] }, report);
  return report;
};

/** `size` chats that wait for approval at the same time; then all are approved. */
export const waiting: StoryScenario = async (laboratory, { size }) => {
  const report = createReport(laboratory);
  const traffic = await createTraffic(laboratory, report);
  const uploaded = numbersTo(size);
  const documents = new Map<number, string>();
  await inParallel(uploaded, atOnce, report, async (story) => void documents.set(story, await traffic.upload(story)));
  // The first chats compile code and let the heap grow, whether they wait or not.
  const first = uploaded.slice(0, Math.ceil(size / 10));
  await inParallel(first, atOnce, report, async (story) => {
    const documentId = documents.get(story)!;
    await traffic.approve(story, documentId, await traffic.ask(story, documentId));
  });
  const before = laboratory.memory();
  const turns = new Map<number, Awaited<ReturnType<typeof traffic.ask>>>();
  await inParallel(uploaded.slice(first.length), atOnce, report, async (story) => {
    turns.set(story, await traffic.ask(story, documents.get(story)!));
  });
  await sleep(5_000);
  const during = laboratory.memory();
  for (const [name, megabytes] of Object.entries(during)) {
    console.log(`${name}: ${megabytes - (before[name] ?? 0)} MB more with ${turns.size} waiting chats`);
  }
  await inParallel([...turns.keys()], atOnce, report, (story) =>
    traffic.approve(story, documents.get(story)!, turns.get(story)!),
  );
  await check(laboratory, { uploaded, chatted: uploaded }, report);
  return report;
};

/** Whole stories, while something happens to the processes. */
const disturbed =
  (
    disturb: (laboratory: Laboratory, isOver: () => boolean) => Promise<void>,
    { hasRuns = false }: { hasRuns?: boolean } = {},
  ): StoryScenario =>
  async (laboratory, { size }) => {
    const report = createReport(laboratory);
    const traffic = await createTraffic(laboratory, report);
    const uploaded = numbersTo(size);
    let isOver = false;
    const stopped = new AbortController();
    const disturbance = disturb(laboratory, () => isOver);
    const looking = [traffic.look(() => isOver), traffic.follow(stopped.signal)];
    const work = hasRuns ? await createWorkTraffic(laboratory, report) : undefined;
    const working = work?.go(() => isOver);
    const conversations = new Map<number, Conversation>();
    await inParallel(uploaded, atOnce, report, async (story) => {
      const documentId = await traffic.upload(story);
      const turn = await traffic.ask(story, documentId);
      await traffic.approve(story, documentId, turn);
      conversations.set(story, { documentId, turn });
      await traffic.readAgain(story, { documentId, turn });
    });
    isOver = true;
    await disturbance;
    stopped.abort();
    await Promise.all([...looking, working]);
    await work?.finish();
    await inParallel(conversations.keys(), atOnce, report, (story) =>
      traffic.readAgain(story, conversations.get(story)!),
    );
    await check(laboratory, { uploaded, chatted: uploaded }, report);
    return report;
  };

/** Nothing happens. */
export const stories = disturbed(async () => undefined);

/** The same beside runs of documents, with results, totals and exports. */
export const steady = disturbed(async () => undefined, { hasRuns: true });

/** Ends each server as a platform does and starts it again, one after the other, as often as there is traffic. */
export const rollingRestart = disturbed(async (laboratory, isOver) => {
  let restarts = 0;
  while (!isOver()) {
    for (const name of laboratory.servers()) {
      await sleep(2_000);
      if (isOver()) break;
      await laboratory.stopServer(name, 'SIGTERM');
      await laboratory.startServer(name);
      restarts += 1;
    }
  }
  console.log(`${restarts} servers were restarted.`);
});

/**
 * Replaces the servers of the former release by those of this one, one after the other, while one of the former starts anew
 * beside them; then kills every second server, and starts it again.
 */
export const rollingUpgrade = disturbed(async (laboratory, isOver) => {
  const goOn = async (milliseconds: number) => {
    await sleep(milliseconds);
    if (isOver()) throw new Error('There was too little traffic: give a larger --size.');
  };
  const names = laboratory.servers();
  for (const [at, name] of names.entries()) {
    await goOn(3_000);
    await laboratory.stopServer(name, 'SIGTERM');
    await laboratory.startServer(name);
    console.log(`${name} runs this release.`);
    const next = names[at + 1];
    if (at > 0 || next === undefined) continue;
    await goOn(3_000);
    await laboratory.stopServer(next, 'SIGTERM');
    await laboratory.startServer(next, 'former');
    console.log(`${next} was started again with the former release.`);
  }
  await goOn(3_000);
  await killHalf(laboratory, isOver);
});

/** Kills every second server of each role in the middle of the traffic, and starts them again later. */
export const halfKilled = disturbed(async (laboratory, isOver) => {
  await sleep(5_000);
  await killHalf(laboratory, isOver);
});

async function killHalf(laboratory: Laboratory, isOver: () => boolean): Promise<void> {
  const half = laboratory.servers().filter((_, at) => at % 2 === 1);
  await Promise.all(half.map((name) => laboratory.stopServer(name, 'SIGKILL')));
  console.log(`Killed: ${half.join(', ')}.`);
  for (let waited = 0; waited < 30 && !isOver(); waited += 1) await sleep(1_000);
  for (const name of half) await laboratory.startServer(name);
}

/** Cuts the servers off from the database for a minute. */
export const databaseAway = disturbed(async (laboratory, isOver) => {
  await sleep(5_000);
  if (isOver()) throw new Error('There was too little traffic: give a larger --size.');
  laboratory.setDatabaseAway(true);
  await sleep(60_000);
  laboratory.setDatabaseAway(false);
  console.log('The database was away for a minute.');
});

/** Stories for some minutes. Prints how the memory of each process grows with the work, in the second half. */
export const soak: StoryScenario = async (laboratory, { minutes }) => {
  const report = createReport(laboratory);
  const traffic = await createTraffic(laboratory, report);
  const end = Date.now() + minutes * 60_000;
  const half = Date.now() + minutes * 30_000;
  let next = 0;
  const stories = function* () {
    while (Date.now() < end) yield next++;
  };
  const samples: { stories: number; memory: Record<string, number> }[] = [];
  const sampling = setInterval(() => {
    if (Date.now() > half) samples.push({ stories: next, memory: laboratory.memory() });
  }, 1_000);
  await inParallel(stories(), atOnce, report, async (story) => {
    const documentId = await traffic.upload(story);
    await traffic.approve(story, documentId, await traffic.ask(story, documentId));
  });
  clearInterval(sampling);
  for (const name of Object.keys(samples[0]?.memory ?? {})) {
    const points = samples.map(({ stories: at, memory }) => [at, memory[name] ?? 0] as const);
    const last = points.at(-1)![1];
    const growth = slopeOf(points) * (points.at(-1)![0] - points[0]![0]);
    console.log(
      `${name}: ${last} MB at the end, ${((100 * growth) / last).toFixed(1)} % of it grown in the second half`,
    );
  }
  const told = Array.from({ length: next }, (_, at) => at);
  await check(laboratory, { uploaded: told, chatted: told }, report);
  return report;
};

/** Of the line through the points with the smallest squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const products = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const squares = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return squares === 0 ? 0 : products / squares;
}
