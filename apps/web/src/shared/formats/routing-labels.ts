import type { DocumentRouting } from '@docwright/contract';

/** Where a document went, in words. */
export const routingLabels: Record<DocumentRouting['state'], string> = {
  routed: 'Routed',
  unsure: 'Route unsure',
  waiting_split: 'Split unsure',
  none: 'No route',
};
