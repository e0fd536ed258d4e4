import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { auditRoutes } from './audit-routes.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createAuditServices } from './audit-services.ts';

/** The audit log, in which services record their writes. */
export const auditFeature = defineFeature({
  create: ({ connection, settings }: { connection: Connection; settings: Pick<Settings, 'maxStorageBytes'> }) =>
    createAuditServices(connection, settings.maxStorageBytes),
  routes: async (app, services) => app.register(auditRoutes, { services }),
});
