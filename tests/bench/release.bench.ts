import {
  chooseThreshold,
  judgeDrift,
  type AuditedDocument,
  type DriftLimits,
} from '../../packages/release/src/index.ts';
import { randomFrom } from './review/random.ts';
import { isShort, size } from './size.ts';

/**
 * Plays the whole procedure of a release policy for many organizations: documents arrive, some are drawn and audited, each audit
 * chooses the threshold again, a broken bound or a drift pauses. Organizations differ in their error rate (0.1 to 10 %, even on
 * a logarithmic scale), in their issuers (errors come in clusters) and in how well the risk predicts errors (three in ten not at
 * all). Reports three figures:
 *
 * - the share of organizations whose true rate of wrong released documents is above `max_wrong`, of all, and of those with the
 *   worst possible rates for this procedure: just above `max_wrong` with a risk that predicts nothing;
 * - the released share compared with the best threshold that is known with hindsight;
 * - the share of drifts that triple the error rate and are paused within 50 documents.
 */
const claim = { maxWrong: 0.005, confidence: 0.95, unit: 'document' } as const;
const organizations = size(1000, 8);
const documents = size(6000, 700);
const auditShare = 0.4;
/** Audits between two choices of the threshold; the product chooses after each. */
const auditsBetween = 5;
/** Added to a logit, it triples a small probability. */
const tripled = Math.log(3);

interface Played {
  isActive: boolean;
  released: number;
  /** The expected number of wrong released documents. */
  wrong: number;
  finalShare: number;
  bestShare: number;
  /** Documents from the start of the drift to the pause; undefined without a pause. */
  pausedAfter: number | undefined;
  falseAlarms: number;
}

interface Organization {
  errorRate: number;
  /** How much noise the risk has, in logits; undefined for a risk that predicts nothing. */
  noise: number | undefined;
  driftAt: number | undefined;
}

const all = play(organizations, 1, (random) => ({
  errorRate: 0.001 * 100 ** random(),
  noise: random() < 0.3 ? undefined : random() * 1.5,
  driftAt: undefined,
}));
const worst = play(size(400, 4), 2, (random) => ({
  errorRate: 0.005 * (1.01 + random() * 0.5),
  noise: undefined,
  driftAt: undefined,
}));
const drifting = play(size(200, 4), 3, (random) => ({
  errorRate: 0.005 * 20 ** random(),
  noise: random() * 1.5,
  driftAt: Math.floor(documents * (0.3 + random() * 0.6)),
}));

const comparable = all.filter(({ bestShare }) => bestShare > 0.02);
console.table([
  {
    organizations: all.length,
    active: all.filter(({ isActive }) => isActive).length,
    'true rate above max_wrong': percent(shareOf(all, isBroken)),
    'the same at the worst rates': percent(shareOf(worst, isBroken)),
    'allowed, with two standard errors': percent(0.05 + 2 * Math.sqrt((0.05 * 0.95) / all.length)),
    'released against hindsight, median': median(comparable.map((each) => each.finalShare / each.bestShare)).toFixed(2),
    'paused for no drift': percent(shareOf(all, ({ falseAlarms }) => falseAlarms > 0)),
  },
]);
console.table([
  {
    drifts: drifting.length,
    'paused within 50 documents': percent(shareOf(drifting, ({ pausedAfter }) => (pausedAfter ?? Infinity) <= 50)),
  },
]);
if (!isShort && shareOf(all, isBroken) > 0.05 + 2 * Math.sqrt((0.05 * 0.95) / all.length)) process.exitCode = 1;

function play(count: number, seed: number, drawn: (random: () => number) => Organization): Played[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => playOne(drawn(random), random));
}

function playOne({ errorRate, noise, driftAt }: Organization, random: () => number): Played {
  const issuers = Array.from({ length: 20 }, () => gauss(random));
  // The spread of the logits raises the mean probability; a short search makes it the wished one.
  const spreads = Array.from({ length: 2000 }, () => issuers[Math.floor(random() * 20)]! + gauss(random));
  const bias = biasFor(errorRate, spreads);
  const seen: { risk: number; probability: number }[] = [];
  let audited: AuditedDocument[] = [];
  let risks: number[] = [];
  let limits: DriftLimits | undefined;
  let threshold: number | null = null;
  const played: Played = {
    isActive: false,
    released: 0,
    wrong: 0,
    finalShare: 0,
    bestShare: 0,
    pausedAfter: undefined,
    falseAlarms: 0,
  };
  for (let index = 0; index < documents; index++) {
    const isAfterDrift = driftAt !== undefined && index >= driftAt;
    const logit = bias + issuers[Math.floor(random() * 20)]! + gauss(random) + (isAfterDrift ? tripled : 0);
    const probability = sigmoid(logit);
    const risk = sigmoid(noise === undefined ? -4 + gauss(random) : logit + noise * gauss(random));
    seen.push({ risk, probability });
    risks.push(risk);
    const drift = judgeDrift(risks, limits, random);
    limits = drift.limits;
    if (drift.hasDrifted) {
      if (isAfterDrift) played.pausedAfter ??= index - driftAt + 1;
      else played.falseAlarms += 1;
      [audited, risks, limits, threshold] = [[], [], undefined, null];
      continue;
    }
    if (random() < auditShare) {
      audited.push({ risk, values: 1, wrongValues: random() < probability ? 1 : 0 });
      if (audited.length % auditsBetween === 0) threshold = chooseThreshold(audited, claim).threshold;
      played.isActive ||= threshold !== null;
    } else if (threshold !== null && risk <= threshold) {
      played.released += 1;
      played.wrong += probability;
    }
  }
  played.finalShare = threshold === null ? 0 : shareOf(seen, ({ risk }) => risk <= threshold);
  played.bestShare = bestShareOf(seen);
  return played;
}

function isBroken({ released, wrong }: Played): boolean {
  return released > 0 && wrong / released > claim.maxWrong;
}

function bestShareOf(seen: readonly { risk: number; probability: number }[]): number {
  const sorted = seen.toSorted((a, b) => a.risk - b.risk);
  let [wrong, best] = [0, 0];
  for (const [index, { probability }] of sorted.entries()) {
    wrong += probability;
    if (wrong / (index + 1) <= claim.maxWrong) best = index + 1;
  }
  return best / sorted.length;
}

function biasFor(errorRate: number, spreads: readonly number[]): number {
  let [low, high] = [-20, 5];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (spreads.reduce((sum, spread) => sum + sigmoid(middle + spread), 0) / spreads.length < errorRate) low = middle;
    else high = middle;
  }
  return low;
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function shareOf<Item>(items: readonly Item[], matches: (item: Item) => boolean): number {
  return items.filter(matches).length / items.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
