import { resolve } from 'node:path';
import type { Page } from '@docwright/documents';
import { groundAtOnce } from '../../packages/documents/src/testing/ground-at-once.ts';
import {
  finish,
  calibrationSteps,
  defaultModel,
  expectedSteps,
  fieldOf,
  fitSteps,
  labelSteps,
  leafPaths,
  measureSteps,
  observeSteps,
  PageLabels,
  parseCheck,
  predictRisk,
  runChecks,
  signalsOf,
  unusualness,
  type CalibratedRisk,
  type LabelledValue,
  type ParsedCheck,
  type RiskModel,
  type VerifiedDocument,
} from '../../packages/review/src/index.ts';
import { knownDocuments } from './review/corpus.ts';
import { corrupt, corruptions, type Corruption } from './review/corrupt.ts';
import { generateInvoice, invoiceChecks, invoiceSchema } from './review/invoices.ts';
import { randomFrom } from './review/random.ts';
import { isShort, size } from './short/size.ts';

/**
 * How well the risk of values finds wrong values: on generated invoices, some values are made wrong (digits swapped, a
 * neighbour's value, invented, missing, another field's). Places, checks and risk are those of the product. Reports the share
 * of wrong values in the tenth with the highest risk, with the default weights and after a calibration on about 2,000 verified
 * values of other invoices, and the difference between the risk and the share of wrong values.
 *
 * The same on real documents, if there is a folder of them (`DOCWRIGHT_CORPUS`, default `../shared/corpus`): one half is for
 * calibration, the other for measurement. At the end it prints the weights fitted to all of them, which are the defaults of
 * `packages/review`.
 */
const shareWrong = 0.05;
const documentsForValues = (values: number) => Math.ceil(values / 24);
const checks = invoiceChecks.map((check) => parseCheck(check, invoiceSchema));

interface Judged extends LabelledValue {
  way: Corruption | undefined;
  risk: number;
}

interface Case {
  documentId: string;
  result: unknown;
  truth: unknown;
  pages: Page[];
  wrong: ReadonlyMap<string, Corruption>;
}

const seen = casesOf(documentsForValues(size(2000, 200)), 1);
const unseen = casesOf(documentsForValues(size(2000, 200)), 2);
const before = judge(unseen, { model: defaultModel, profiles: new Map() });
const fitted = finish(calibrationSteps(seen.map((each) => verified(each))));
const after = judge(unseen, fitted);

console.table([
  row('defaults', before, finish(measureSteps(before, defaultModel)).error),
  row('calibrated', after, finish(measureSteps(after, fitted.model)).error),
]);
console.table(
  corruptions.map((way) => ({
    way,
    values: after.filter((value) => value.way === way).length,
    'found with defaults': percent(shareInTop(before, (value) => value.way === way)),
    'found after calibration': percent(shareInTop(after, (value) => value.way === way)),
  })),
);

const corpus = process.env['DOCWRIGHT_CORPUS'] ?? resolve(import.meta.dirname, '../../../shared/corpus');
const known = await knownDocuments(corpus, !isShort);
if (known.length > 0) {
  const random = randomFrom(3);
  const drawn = Array.from({ length: size(6, 1) }, () =>
    known.map(({ documentId, truth, pages }): Case => {
      const { result, wrong } = corrupt(truth, shareWrong, random);
      return { documentId, result, truth, pages: misread(pages, truth, result, wrong, random), wrong };
    }),
  ).flat();
  const names = known.map(({ documentId }) => documentId);
  const isLearned = ({ documentId }: Case) => names.indexOf(documentId) % 2 === 0;
  const others = drawn.filter((each) => !isLearned(each));
  const model = finish(calibrationSteps(drawn.filter(isLearned).map((each) => verified(each, []))));
  const [plain, learned] = [judge(others, { model: defaultModel, profiles: new Map() }, []), judge(others, model, [])];
  console.log(`${known.length} real documents`);
  console.table([
    row('defaults', plain, finish(measureSteps(plain, defaultModel)).error),
    row('calibrated', learned, finish(measureSteps(learned, model.model)).error),
  ]);
  const all = judge(drawn, { model: defaultModel, profiles: new Map() }, []);
  console.log('fitted to all of them:', JSON.stringify(rounded(finish(fitSteps(all)))));
}
process.exit(0);

function row(weights: string, values: readonly Judged[], error: number) {
  return {
    weights,
    values: values.length,
    wrong: values.filter(({ isWrong }) => isWrong).length,
    'wrong in the tenth of highest risk': percent(shareInTop(values, ({ isWrong }) => isWrong)),
    'calibration error': `${(error * 100).toFixed(1)} points`,
  };
}

function casesOf(count: number, seed: number): Case[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, at) => {
    const { truth, pages } = generateInvoice(random);
    const { result, wrong } = corrupt(truth, shareWrong, random);
    return { documentId: `${seed}-${at}`, result, truth, pages: misread(pages, truth, result, wrong, random), wrong };
  });
}

/**
 * On a recognised page, swapped digits come from the recognition: the word on the page has them too, with a low confidence. A
 * few right words have a low confidence as well.
 */
function misread(
  pages: Page[],
  truth: unknown,
  result: unknown,
  wrong: ReadonlyMap<string, Corruption>,
  random: () => number,
): Page[] {
  const now = new Map(leafPaths(result).map(({ path, value }) => [path, value]));
  const changes = new Map(
    leafPaths(truth).flatMap(({ path, value }) =>
      wrong.get(path) === 'digits swapped' ? [[printed(value), printed(now.get(path))] as const] : [],
    ),
  );
  return pages.map((page) => ({
    ...page,
    words: page.words.map((word) => {
      if (word.confidence === undefined) return word;
      const other = changes.get(word.text);
      if (other !== undefined) return { ...word, text: other, confidence: 0.45 + random() * 0.35 };
      return random() < 0.03 ? { ...word, confidence: Math.min(word.confidence, 0.5 + random() * 0.35) } : word;
    }),
  }));
}

function printed(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}

function observe({ result, pages }: Case, parsed: readonly ParsedCheck[]) {
  const labels = new PageLabels(pages.map(({ text }) => text).join('\n'));
  return finish(
    observeSteps({
      result,
      grounding: groundAtOnce(result, pages),
      pages,
      validationErrors: [],
      failedChecks: runChecks(parsed, result).failed,
      expected: finish(expectedSteps(result, labels)),
      labels: finish(labelSteps(result, labels)),
    }),
  );
}

function judge(
  cases: readonly Case[],
  { model, profiles }: Pick<CalibratedRisk, 'model' | 'profiles'>,
  parsed: readonly ParsedCheck[] = checks,
): Judged[] {
  return cases.flatMap((each) => {
    const observed = observe(each, parsed);
    return leafPaths(each.result).map((leaf) => {
      const signals = signalsOf(leaf, observed[leaf.path], unusualness(leaf.value, profiles.get(fieldOf(leaf.path))));
      const way = each.wrong.get(leaf.path);
      const isWrong = way !== undefined;
      return { documentId: each.documentId, way, isWrong, signals, risk: predictRisk(model, signals) };
    });
  });
}

function verified(each: Case, parsed: readonly ParsedCheck[] = checks): VerifiedDocument {
  const { documentId, result, truth, wrong } = each;
  return {
    documentId,
    originalResult: result,
    originalSignals: observe(each, parsed),
    result: truth,
    wrongPaths: new Set(wrong.keys()),
  };
}

/** The share of the matching values in the tenth with the highest risk; values of equal risk count proportionally. */
function shareInTop(values: readonly Judged[], isMeant: (value: Judged) => boolean): number {
  const meant = values.filter((value) => isMeant(value)).length;
  const byRisk = [...Map.groupBy(values, ({ risk }) => risk)].toSorted(([one], [other]) => other - one);
  let room = Math.floor(values.length / 10);
  let found = 0;
  for (const [, equal] of byRisk) {
    if (room <= 0) break;
    found += equal.filter((value) => isMeant(value)).length * Math.min(1, room / equal.length);
    room -= equal.length;
  }
  return meant === 0 ? 1 : found / meant;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function rounded({ bias, weights }: RiskModel): RiskModel {
  const short = (value: number) => Math.round(value * 100) / 100;
  const entries = Object.entries(weights).map(([name, weight]) => [name, short(weight)]);
  return { bias: short(bias), weights: Object.fromEntries(entries) as RiskModel['weights'] };
}
