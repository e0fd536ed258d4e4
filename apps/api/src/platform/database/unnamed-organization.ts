import type { Types } from 'mongoose';

/**
 * Matches records of an organization, and those without one: releases that do not know version 16 of the database store
 * messages and events without it, while one of them runs beside this release during an upgrade.
 */
export const namedOrUnnamed = (organizationId: Types.ObjectId): { $in: Types.ObjectId[] } => ({
  // The types of the models do not know records of former releases.
  $in: [organizationId, null as unknown as Types.ObjectId],
});
