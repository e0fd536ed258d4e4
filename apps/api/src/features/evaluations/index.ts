export type { CallEvaluations, MeasurableCall } from './call-evidence.ts';
