export type { Rejudging, ReleaseHooks } from './feature.ts';
export type { ReleaseService } from './release-service.ts';
