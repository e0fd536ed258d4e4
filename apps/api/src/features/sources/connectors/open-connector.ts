import { DomainError, type SourceConnector } from '@docwright/contract';
import type { Connector } from './connector.ts';
import { createFolderConnector } from './folder-connector.ts';
import { createMachineRole, createS3Connector } from './s3-connector.ts';

interface ConnectorDependencies {
  /** The directories that the operator bound to an organization. */
  inletDirs: ReadonlyMap<string, readonly string[]>;
  /** The organizations whose sources may use the machine's own role. */
  machineRoleOrganizations: ReadonlySet<string>;
  guardedFetch: typeof fetch;
  maxFileBytes: number;
}

/** Opens the connector of a source; its secrets are in it. */
export type OpenConnector = (organizationId: string, connector: SourceConnector) => Connector;

export function createOpenConnector(dependencies: ConnectorDependencies): OpenConnector {
  const { inletDirs, machineRoleOrganizations, guardedFetch, maxFileBytes } = dependencies;
  const machineRole = createMachineRole();
  return (organizationId, connector) => {
    switch (connector.kind) {
      case 'folder':
        return createFolderConnector(connector.config, inletDirs.get(organizationId) ?? []);
      case 's3': {
        const { config, secret = '' } = connector;
        const { access_key_id } = config;
        const keys = access_key_id === undefined ? undefined : { accessKeyId: access_key_id, secretAccessKey: secret };
        const credentials = async () => {
          if (keys) return keys;
          if (machineRoleOrganizations.has(organizationId)) return await machineRole();
          const message =
            'The source has no access key, and the operator does not allow the machine’s role (S3_MACHINE_ROLE).';
          throw new DomainError('invalid', 'source_refused', message);
        };
        return createS3Connector(config, { guardedFetch, credentials, maxFileBytes });
      }
    }
  };
}
