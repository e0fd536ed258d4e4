export type { StreamAdmission } from './stream-admission.ts';
