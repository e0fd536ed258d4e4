export { CheckError, parseCheck, type Check, type CheckSeverity, type ParsedCheck } from './checks/parse-check.ts';
export { runChecks, type CheckOutcome, type FailedCheck } from './checks/run-checks.ts';
export { misreadingOf, type ReadWord } from './risk/misreading.ts';
export { profileSteps, unusualness, type FieldProfile } from './risk/field-profile.ts';
export {
  defaultModel,
  fitSteps,
  measureSteps,
  minVerifiedValues,
  decidingRisk,
  predictRisk,
  type LabelledValue,
  type Measurement,
  type RiskModel,
} from './risk/risk-model.ts';
export { reasonsOf, type ValueSignals } from './risk/value-signals.ts';
export { PageLabels } from './labels/page-labels.ts';
export { calibrationSteps, type CalibratedRisk, type VerifiedDocument } from './values/calibrate.ts';
export { expectedSteps } from './values/expected-values.ts';
export { labelSteps } from './values/value-labels.ts';
export { fieldOf, leafPaths, leafPathSteps, type LeafPath } from './values/paths.ts';
export {
  isAtOrBelow,
  isFieldOf,
  observeSteps,
  signalsOf,
  type Observation,
  type ObservedIssue,
  type StoredSignals,
} from './values/observe-values.ts';
export { reviewSteps, type ReviewedValue, type ReviewInput } from './values/review-values.ts';
export { eachInSteps, finish, type Steps } from './steps/steps.ts';
