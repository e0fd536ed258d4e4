export type { Rejudging, ReleaseHooks } from './feature.ts';
export { createActivePolicies, type ActivePolicy } from './policies/policy-repository.ts';
export { createDrawnDocuments } from './drawn-document-repository.ts';
export type { ReleaseService } from './release-service.ts';
