import { fieldOf, leafPaths } from '../paths.ts';
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

/** A result that people decided about, wholly or in part, with what the model had answered. */
export interface VerifiedDocument {
  readonly documentId: string;
  readonly originalResult: unknown;
  /** Of the model's answer, by path. */
  readonly originalSignals: Readonly<Record<string, StoredSignals>>;
  readonly result: unknown;
  /** Paths of the model's answer that are wrong. */
  readonly wrongPaths: ReadonlySet<string>;
  /** Paths that a person decided about; all of them where it is undefined. */
  readonly decidedPaths?: ReadonlySet<string>;
}

export interface CalibratedRisk {
  readonly model: RiskModel;
  readonly profiles: Map<string, FieldProfile>;
  /** Null with fewer than `minVerifiedValues` values, while the defaults hold. */
  readonly measurement: Measurement | null;
  readonly verifiedValues: number;
}

const parts = 5;

/**
 * Learns from verified results: what the values of each field look like, and from `minVerifiedValues` values on how
 * likely each sign means an error. Values of one document are never judged by a profile that they are part of.
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
  return Array.from({ length: Math.min(parts, documents.length) }, (_, part) => {
    const inside = documents.filter((_document, index) => index % parts === part);
    const profiles = profilesOf(documents.filter((_document, index) => index % parts !== part));
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
