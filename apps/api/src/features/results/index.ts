export type { ResultService } from './result-service.ts';
