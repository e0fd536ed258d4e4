import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import { auditRoutes } from './audit-routes.ts';
import { createAuditServices } from './audit-services.ts';

/** The audit log, in which services record their writes. */
export const auditFeature = defineFeature({
  create: ({ connection }: { connection: Connection }) => createAuditServices(connection),
  routes: async (app, services) => app.register(auditRoutes, { services }),
});
