import type { Connection } from 'mongoose';
import type { DocumentServices } from '../documents/document-services.ts';
import { createOrganizationRepository } from '../identity/organizations/organization-repository.ts';
import { createActiveBulkRepository, createBulkRepositories } from './bulk-repository.ts';
import { createBulkService, type BulkServiceDependencies } from './bulk-service.ts';
import { createBulkWorkService, type BulkWorkDependencies } from './bulk-work-service.ts';
import { createBulkWriteRepository } from './bulk-write-repository.ts';
import { createDocumentChoices } from './document-choice-repository.ts';

export interface BulkAreaDependencies extends Pick<
  BulkServiceDependencies,
  'runs' | 'checkTags' | 'promptExists' | 'wake'
> {
  connection: Connection;
  documents: Pick<DocumentServices, 'trashOf' | 'purge' | 'missingTags' | 'stopWork' | 'onRestore'>;
  log: BulkWorkDependencies['log'];
}

export function createBulkServices(dependencies: BulkAreaDependencies) {
  const { connection, checkTags, documents, log } = dependencies;
  const { missingTags, stopWork, onRestore } = documents;
  const organizations = createOrganizationRepository(connection);
  return {
    documentBulk: createBulkService({
      ...dependencies,
      bulkOf: createBulkRepositories(connection),
      choicesOf: createDocumentChoices(connection),
    }),
    work: createBulkWorkService({
      jobs: createActiveBulkRepository(connection),
      writes: createBulkWriteRepository(connection, { missingTags }),
      roleOf: (organizationId, userId) => organizations.roleOf(organizationId, userId),
      checkTags,
      stopWork,
      async purge(organizationId, documentId) {
        const document = await documents.trashOf(organizationId).takeForPurge(documentId);
        if (document === undefined) return false;
        await documents.purge(document);
        return true;
      },
      onRestore,
      log,
    }),
  };
}
