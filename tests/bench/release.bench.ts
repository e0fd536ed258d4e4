import {
  chooseThreshold,
  judgeDrift,
  type AuditedDocument,
  type DriftLimits,
} from '../../packages/release/src/index.ts';
import { randomFrom } from './review/random.ts';
import { isShort, size } from './short/size.ts';

/**
 * Plays the whole procedure of a release policy for many organizations: documents arrive, some are drawn and audited, audits
 * choose the threshold again, a broken bound or a drift pauses. Organizations differ in their error rate (0.1 to 10 %, even on
 * a logarithmic scale), in their issuers (errors come in clusters) and in how well the risk predicts errors (three in ten not at
 * all). In half of them the error rate triples at a random document. Reports:
 *
 * - the share of organizations whose true rate of wrong released documents is above `max_wrong`;
 * - the same at the worst rates for this procedure: just above `max_wrong`, with a risk that predicts nothing;
 * - the released share compared with the best threshold that is known with hindsight, where nothing drifts, after about 4,000
 *   audits and after about 8,000;
 * - the share of drifts that triple the error rate and are paused within 50 documents, if the risk knows of errors at all. They
 *   begin after 600 documents or later: no policy with these limits releases anything before.
 *
 * `npm run bench -- release organizations worst patient drifts` names the parts to play; without a name, all.
 */
const claim = { maxWrong: 0.005, confidence: 0.95, unit: 'document' } as const;
const auditShare = 0.8;
/** The audits are looked at again after so much growth; the product looks after each. */
const growth = 1.01;
/** Added to a logit, it triples a small probability. */
const tripled = Math.log(3);

interface Organization {
  errorRate: number;
  /** How much noise the risk has, in logits; undefined for a risk that predicts nothing. */
  noise: number | undefined;
  driftAt: number | undefined;
  documents: number;
}

interface Arrival {
  risk: number;
  probability: number;
}

const documents = size(5000, 1000);
const parts = process.argv.slice(2);
const isPlayed = (part: string) => parts.length === 0 || parts.includes(part);
const any = (random: () => number) => ({
  errorRate: 0.001 * 100 ** random(),
  noise: random() < 0.3 ? undefined : random(),
});
const all = play(isPlayed('organizations') ? size(1000, 6) : 0, 1, (random) => ({
  ...any(random),
  driftAt: random() < 0.5 ? Math.floor(random() * documents) : undefined,
  documents,
}));
const worst = play(isPlayed('worst') ? size(200, 3) : 0, 2, (random) => ({
  errorRate: 0.005 * (1.01 + random() * 0.5),
  noise: undefined,
  driftAt: undefined,
  documents,
}));
const patient = play(isPlayed('patient') ? size(200, 3) : 0, 4, (random) => ({
  ...any(random),
  driftAt: undefined,
  documents: documents * 2,
}));
const [steady, drifting] = [true, false].map((isSteady) => all.filter(({ isDrifting }) => isDrifting !== isSteady));
const allowed = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / all.length);
const ratio = againstHindsight(patient);
const latencies = pauses(isPlayed('drifts') ? size(400, 6) : 0, 3);
const paused = shareOf(latencies, (latency) => latency <= 50);

console.table({
  organizations: all.length,
  'released something': shareOf(all, ({ released }) => released > 0),
  'true rate above max_wrong': shareOf(all, isBroken),
  'allowed, with two standard errors': allowed,
  'of those without a drift': shareOf(steady!, isBroken),
  'of those with a drift': shareOf(drifting!, isBroken),
  'at the worst rates': shareOf(worst, isBroken),
  'paused for no drift': shareOf(steady!, ({ falseAlarms }) => falseAlarms > 0),
  'released against hindsight, median': againstHindsight(steady!),
  'the same after twice as many documents': ratio,
  drifts: latencies.length,
  'drifts paused within 50 documents': paused,
});
if (!isShort && parts.length === 0 && (shareOf(all, isBroken) > allowed || ratio < 0.85 || paused < 0.95)) {
  process.exitCode = 1;
}

interface Played {
  isDrifting: boolean;
  released: number;
  /** The expected number of wrong released documents. */
  wrong: number;
  finalShare: number;
  bestShare: number;
  falseAlarms: number;
}

function play(count: number, seed: number, drawn: (random: () => number) => Organization): Played[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => playOne(drawn(random), random));
}

function playOne(organization: Organization, random: () => number): Played {
  const arrive = arrivalsOf(organization, random);
  const { driftAt, documents: count } = organization;
  const seen: Arrival[] = [];
  let audited: AuditedDocument[] = [];
  let risks: number[] = [];
  let limits: DriftLimits | undefined;
  let threshold: number | null = null;
  let lookAt = 0;
  let [released, wrong, falseAlarms] = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    const isAfterDrift = driftAt !== undefined && index >= driftAt;
    const { risk, probability } = arrive(isAfterDrift);
    seen.push({ risk, probability });
    risks.push(risk);
    const drift = judgeDrift(risks, limits, random);
    limits = drift.limits;
    if (drift.hasDrifted) {
      if (!isAfterDrift) falseAlarms += 1;
      [audited, risks, limits, threshold, lookAt] = [[], [], undefined, null, 0];
    } else if (random() < auditShare) {
      insert(audited, { risk, values: 1, wrongValues: random() < probability ? 1 : 0 });
      if (audited.length >= lookAt) {
        threshold = chooseThreshold(audited, claim).threshold;
        lookAt = audited.length * growth;
      }
    } else if (threshold !== null && risk <= threshold) {
      released += 1;
      wrong += probability;
    }
  }
  const limit = threshold ?? -1;
  return {
    isDrifting: driftAt !== undefined,
    released,
    wrong,
    falseAlarms,
    finalShare: shareOf(seen, ({ risk }) => risk <= limit),
    bestShare: bestShareOf(seen),
  };
}

/** How many documents after its start each drift was noticed; Infinity if it was not among the next fifty. */
function pauses(count: number, seed: number): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => {
    const arrive = arrivalsOf({ errorRate: 0.005 * 20 ** random(), noise: random() }, random);
    const risks = Array.from({ length: 600 + Math.floor(random() * 2000) }, () => arrive(false).risk);
    let { limits } = judgeDrift(risks, undefined, random);
    for (let after = 1; after <= 50; after++) {
      risks.push(arrive(true).risk);
      const drift = judgeDrift(risks, limits, random);
      if (drift.hasDrifted) return after;
      limits = drift.limits;
    }
    return Infinity;
  });
}

function arrivalsOf({ errorRate, noise }: Pick<Organization, 'errorRate' | 'noise'>, random: () => number) {
  const spread = 0.8;
  const issuers = Array.from({ length: 20 }, () => spread * gauss(random));
  const draw = () => issuers[Math.floor(random() * issuers.length)]! + spread * gauss(random);
  // The spread of the logits raises the mean probability; a short search makes it the wished one.
  const bias = biasFor(errorRate, Array.from({ length: 1000 }, draw));
  return (isAfterDrift: boolean): Arrival => {
    const logit = bias + draw() + (isAfterDrift ? tripled : 0);
    const risk = sigmoid(noise === undefined ? -4 + gauss(random) : logit + noise * gauss(random));
    return { risk, probability: sigmoid(logit) };
  };
}

/** Keeps the documents in the order of their risk, so that sorting them again costs little. */
function insert(sorted: AuditedDocument[], document: AuditedDocument): void {
  const at = sorted.findIndex(({ risk }) => risk > document.risk);
  sorted.splice(at === -1 ? sorted.length : at, 0, document);
}

/** Where a threshold with hindsight releases anything to speak of. */
function againstHindsight(played: readonly Played[]): number {
  const comparable = played.filter(({ bestShare }) => bestShare > 0.02);
  return median(comparable.map((each) => each.finalShare / each.bestShare));
}

function isBroken({ released, wrong }: Played): boolean {
  return released > 0 && wrong / released > claim.maxWrong;
}

function bestShareOf(seen: readonly Arrival[]): number {
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
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    const mean = spreads.reduce((sum, spread) => sum + sigmoid(middle + spread), 0) / spreads.length;
    if (mean < errorRate) low = middle;
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
  return items.length === 0 ? 0 : items.filter(matches).length / items.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
