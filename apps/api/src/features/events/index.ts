export type { EventReader } from './feed-service.ts';
