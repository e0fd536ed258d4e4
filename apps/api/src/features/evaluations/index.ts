export type { CallEvidence, MeasurableCall } from './call-evidence.ts';
