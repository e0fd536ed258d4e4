import { describeFailure } from '@docwright/agent-core';
import { isDatabaseUnavailable } from '../../platform/database/connection.ts';

/** The run is not to blame: it is left to the next attempt, which undoes what this one wrote and does it once. */
export const databaseUnavailable = {
  code: 'database_unavailable',
  message: 'The database was unavailable during the run. The run is tried again.',
};

/** The error of a run, as users see it. */
export function failureOf(error: unknown): { code: string; message: string } {
  return isDatabaseUnavailable(error) ? databaseUnavailable : describeFailure(error);
}
