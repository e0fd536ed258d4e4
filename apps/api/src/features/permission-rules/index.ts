export type { PermissionRuleServices } from './permission-rule-services.ts';
export type { RememberedDecisions } from './remember-decisions.ts';
export type { DecideForTurn } from './turn-permissions.ts';
export { decideUnattended, denyInsteadOfAsking, keptResultMessages } from './unattended-permissions.ts';
