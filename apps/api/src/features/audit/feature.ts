import type { Connection } from 'mongoose';
import { defineFeature } from '../../platform/feature.ts';
import type { DocumentServices } from '../documents/index.ts';
import type { ExtractionServices } from '../extractions/index.ts';
import { auditRoutes } from './audit-routes.ts';
import { createAuditServices } from './audit-services.ts';

interface AuditNeeds {
  connection: Connection;
  artifacts: ExtractionServices;
  documentServices: DocumentServices;
}

/** The audit log, and services for requests, which record each write in it. */
export const auditFeature = defineFeature({
  create({ connection, artifacts, documentServices }: AuditNeeds) {
    const { recordedWrites, ...services } = createAuditServices(connection);
    const { tags, schemas, prompts, extractions } = artifacts;
    const documents: DocumentServices = {
      ...documentServices,
      documents: recordedWrites.documents(documentServices.documents),
      splitting: recordedWrites.splitting(documentServices.splitting),
      uploads: recordedWrites.uploads(documentServices.uploads),
    };
    return { ...services, ...recordedWrites.all({ tags, schemas, prompts, extractions }), documents };
  },
  routes: async (app, services) => app.register(auditRoutes, { services }),
});
