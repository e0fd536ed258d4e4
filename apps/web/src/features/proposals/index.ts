export { AcceptChoice } from './accept-choice.tsx';
export { useKindDecisions } from './use-kind-decisions.ts';
