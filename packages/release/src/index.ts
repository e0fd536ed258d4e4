export { clopperPearsonUpper, documentsNeeded } from './clopper-pearson.ts';
export { clusterUpper } from './cluster-bound.ts';
export {
  boundCurve,
  chooseThreshold,
  type AuditedDocument,
  type BoundUnit,
  type ReleaseClaim,
  type CurvePoint,
  type Threshold,
} from './choose-threshold.ts';
export { isWithinLimits, judgeDrift, minDriftDocuments, type DriftLimits } from './drift.ts';
export { isDrawn } from './sample.ts';
