import { defineFeature } from '../../platform/feature.ts';
import type { IdentityServices } from '../identity/index.ts';
import { createStreamAdmission, defaultStreamLimits, type StreamLimits } from './stream-admission.ts';

/** Limits of responses that stay open. */
export const streamAdmissionFeature = defineFeature({
  create: (needs: {
    identity: Pick<IdentityServices, 'authentication'>;
    /** Aborts when the server begins to stop. */
    closing: AbortSignal;
    streamLimits?: StreamLimits;
  }) => ({
    streams: createStreamAdmission({
      limits: needs.streamLimits ?? defaultStreamLimits,
      closing: needs.closing,
      holds: async (principal, actor) => needs.identity.authentication.holds(principal, actor),
    }),
  }),
});
