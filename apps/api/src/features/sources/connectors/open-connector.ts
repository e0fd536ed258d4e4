import { DomainError, type SourceConnector } from '@docwright/contract';
import type { HostGuard } from '../../../platform/network/host-guard.ts';
import { createMachineRole } from '../../../platform/s3/s3-requests.ts';
import type { Connector } from './connector.ts';
import { createFolderConnector } from './folder-connector.ts';
import { createImapConnector } from './imap-connector.ts';
import { createMailReader } from './mail-reader.ts';
import { createS3Connector } from './s3-connector.ts';

interface ConnectorDependencies {
  /** The directories that the operator bound to an organization. */
  inletDirs: ReadonlyMap<string, readonly string[]>;
  /** The organizations whose sources may use the machine's own role. */
  machineRoleOrganizations: ReadonlySet<string>;
  guardedFetch: typeof fetch;
  guard: HostGuard;
  maxFileBytes: number;
  /** Authorities of certificates besides the usual ones, in tests. */
  certificateAuthority?: string | undefined;
}

/** Opens the connector of a source; its secrets are in it. A server may replace a refresh token when it is used. */
export type OpenConnector = (
  organizationId: string,
  connector: SourceConnector,
  onNewSecret?: (secret: string) => void,
) => Connector;

export function createOpenConnector(dependencies: ConnectorDependencies): OpenConnector {
  const { inletDirs, machineRoleOrganizations, guardedFetch, guard, maxFileBytes, certificateAuthority } = dependencies;
  const mailReaderOf = createMailReader();
  const machineRole = createMachineRole(
    () =>
      new DomainError(
        'invalid',
        'source_refused',
        'The machine has no role for S3. Give an access key, or ask the operator.',
      ),
  );
  return (organizationId, connector, onNewSecret = () => undefined) => {
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
      case 'imap': {
        const { config, secret = '', client_secret } = connector;
        const token = { guardedFetch, refreshToken: secret, clientSecret: client_secret, onNewSecret };
        const readMail = mailReaderOf(organizationId);
        return createImapConnector(config, { guard, password: secret, token, certificateAuthority, readMail });
      }
    }
  };
}
