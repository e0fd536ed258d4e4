export type { ArrivalService } from './arrival-service.ts';
