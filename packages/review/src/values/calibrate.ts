import { profileFields, unusualness, type FieldProfile } from '../risk/field-profile.ts';
import {
  defaultModel,
  fitModel,
  measureModel,
  minVerifiedValues,
  type LabelledValue,
  type Measurement,
  type RiskModel,
} from '../risk/risk-model.ts';
import { signalsOf, type StoredSignals } from './observe-values.ts';
import { fieldOf, leafPaths } from './paths.ts';

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
 * import { calibrate, type VerifiedDocument } from '@docwright/review';
 *
 * declare const documents: VerifiedDocument[];
 * const { model, profiles, measurement } = calibrate(documents);
 * console.log(model.bias, profiles.size, measurement?.error);
 * ```
 */
export function calibrate(documents: readonly VerifiedDocument[]): CalibratedRisk {
  const profiles = profilesOf(documents);
  const labelled = labelledValues(documents);
  const isEnough = labelled.length >= minVerifiedValues;
  return {
    profiles,
    verifiedValues: labelled.length,
    model: isEnough ? fitModel(labelled) : defaultModel,
    measurement: isEnough ? measureModel(labelled) : null,
  };
}

function profilesOf(documents: readonly VerifiedDocument[]): Map<string, FieldProfile> {
  return profileFields(
    documents.flatMap(({ result, decidedPaths }) =>
      leafPaths(result).filter(({ path }) => decidedPaths === undefined || decidedPaths.has(path)),
    ),
  );
}

function labelledValues(documents: readonly VerifiedDocument[]): LabelledValue[] {
  return Array.from({ length: Math.min(partCount, documents.length) }, (_, part) => {
    const inside = documents.filter((_document, index) => index % partCount === part);
    const profiles = profilesOf(documents.filter((_document, index) => index % partCount !== part));
    return inside.flatMap((document) => labelledOf(document, profiles));
  }).flat();
}

function labelledOf(document: VerifiedDocument, profiles: Map<string, FieldProfile>): LabelledValue[] {
  const { documentId, originalResult, originalSignals, wrongPaths, decidedPaths } = document;
  return leafPaths(originalResult)
    .filter(({ path }) => decidedPaths === undefined || decidedPaths.has(path))
    .map((leaf) => ({
      documentId,
      isWrong: wrongPaths.has(leaf.path),
      signals: signalsOf(leaf, originalSignals[leaf.path], unusualness(leaf.value, profiles.get(fieldOf(leaf.path)))),
    }));
}
