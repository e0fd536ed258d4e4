export { useCallEvidence } from './approvals/use-call-evidence.ts';
export type { ShownEvidence } from './approvals/use-call-evidence.ts';
