import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { createTurnAdmission } from './turn-admission.ts';
import { defaultTurnLimits, type TurnLimits } from './turn-limits.ts';
import { createTurnCounter } from './turn-rate-repository.ts';

/** Limits of running turns and of turns started within a minute. */
export const turnAdmissionFeature = defineFeature({
  create: (needs: {
    app: Pick<FastifyInstance, 'createRateLimit'>;
    connection: Connection;
    apiProcesses: () => number;
    turnLimits?: TurnLimits;
  }) => ({
    admission: createTurnAdmission(
      needs.app,
      needs.turnLimits ?? defaultTurnLimits,
      needs.apiProcesses,
      createTurnCounter(needs.connection),
    ),
  }),
});
