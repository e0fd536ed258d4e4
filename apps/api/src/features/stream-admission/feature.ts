import { defineFeature } from '../../platform/feature.ts';
import type { IdentityServices } from '../identity/index.ts';
import { createStreamAdmission, defaultStreamLimits, type StreamLimits } from './stream-admission.ts';

/** Limits of long-lived responses. */
export const streamAdmissionFeature = defineFeature({
  create: (needs: {
    identity: Pick<IdentityServices, 'authentication'>;
    /** Aborts when the server starts to shut down. */
    closing: AbortSignal;
    streamLimits?: StreamLimits;
    apiProcesses: () => number;
  }) => ({
    streams: createStreamAdmission({
      limits: needs.streamLimits ?? defaultStreamLimits,
      closing: needs.closing,
      apiProcesses: needs.apiProcesses,
      isStillValid: async (principal, actor) => needs.identity.authentication.isStillValid(principal, actor),
    }),
  }),
});
