export type { EstimateBulk } from './bulk-estimate-service.ts';
