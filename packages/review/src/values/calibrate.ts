import { profileSteps, unusualness, type FieldProfile } from '../risk/field-profile.ts';
import {
  defaultModel,
  fitSteps,
  measureSteps,
  minVerifiedValues,
  type LabelledValue,
  type Measurement,
  type RiskModel,
} from '../risk/risk-model.ts';
import { signalsOf, type StoredSignals } from './observe-values.ts';
import { fieldOf, leafPathSteps, type LeafPath } from './paths.ts';
import { eachInSteps, type Steps } from '../steps/steps.ts';

/** A result with values that users have decided, and the result of the model. */
export interface VerifiedDocument {
  readonly documentId: string;
  /** The result of the model. */
  readonly originalResult: unknown;
  /** Signals of the model's values, by path. */
  readonly originalSignals: Readonly<Record<string, StoredSignals>>;
  /** The result with the users' corrections. */
  readonly result: unknown;
  /** Paths of the model's values that are wrong. */
  readonly wrongPaths: ReadonlySet<string>;
  /** Paths of the values that a user has decided. Default: all. */
  readonly decidedPaths?: ReadonlySet<string>;
}

/** A risk model for the values of one prompt, with the field profiles that it needs. */
export interface CalibratedRisk {
  readonly model: RiskModel;
  /** By field: `line_items[].amount`. */
  readonly profiles: Map<string, FieldProfile>;
  /** Null with fewer than `minVerifiedValues` values, when the default model applies. */
  readonly measurement: Measurement | null;
  /** Number of values that users have decided. */
  readonly verifiedValues: number;
}

const partCount = 5;

/**
 * Computes field profiles from verified results, and fits the risk model if they have at least `minVerifiedValues`
 * values. The unusualness of a value is computed with profiles of other documents.
 *
 * @example
 * ```ts
 * import { calibrationSteps, finish, type VerifiedDocument } from '@docwright/review';
 *
 * declare const documents: VerifiedDocument[];
 * const { model, profiles, measurement } = finish(calibrationSteps(documents));
 * console.log(model.bias, profiles.size, measurement?.error);
 * ```
 */
export function* calibrationSteps(documents: readonly VerifiedDocument[]): Generator<void, CalibratedRisk, undefined> {
  const profiles = yield* profilesOf(documents);
  const labelled: LabelledValue[] = [];
  for (let part = 0; part < Math.min(partCount, documents.length); part += 1) {
    const inside = documents.filter((_document, index) => index % partCount === part);
    const others = yield* profilesOf(documents.filter((_document, index) => index % partCount !== part));
    for (const document of inside) yield* addLabelled(document, others, labelled);
  }
  const isEnough = labelled.length >= minVerifiedValues;
  return {
    profiles,
    verifiedValues: labelled.length,
    model: isEnough ? yield* fitSteps(labelled) : defaultModel,
    measurement: isEnough ? yield* measureSteps(labelled) : null,
  };
}

function* profilesOf(documents: readonly VerifiedDocument[]): Steps<Map<string, FieldProfile>> {
  const values: (LeafPath & { documentId: string })[] = [];
  for (const { documentId, result, decidedPaths } of documents) {
    yield* eachInSteps(yield* leafPathSteps(result), (leaf) => {
      if (decidedPaths === undefined || decidedPaths.has(leaf.path)) values.push({ ...leaf, documentId });
    });
  }
  return yield* profileSteps(values);
}

function* addLabelled(
  document: VerifiedDocument,
  profiles: Map<string, FieldProfile>,
  labelled: LabelledValue[],
): Steps<void> {
  const { documentId, originalResult, originalSignals, wrongPaths, decidedPaths } = document;
  yield* eachInSteps(yield* leafPathSteps(originalResult), (leaf) => {
    if (decidedPaths !== undefined && !decidedPaths.has(leaf.path)) return;
    labelled.push({
      documentId,
      isWrong: wrongPaths.has(leaf.path),
      signals: signalsOf(leaf, originalSignals[leaf.path], unusualness(leaf.value, profiles.get(fieldOf(leaf.path)))),
    });
  });
}
