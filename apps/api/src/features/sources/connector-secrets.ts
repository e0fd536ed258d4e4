import { DomainError, type SourceConnector } from '@docwright/contract';
import type { SealedTexts } from '../../platform/settings/sealed-text.ts';
import { tokenUrlOf } from './connectors/oauth-token.ts';
import { isMasked, maskToken } from '../llm/index.ts';

interface Secrets {
  secret?: string | undefined;
  client_secret?: string | undefined;
}

/** A connector as it is stored: what may be shown, and its secrets, which open for its host and user alone. */
export interface SealedConnector {
  masked: SourceConnector;
  sealed: string | undefined;
}

/** Seals the secrets of connectors for storage. */
export type ConnectorSecrets = ReturnType<typeof createConnectorSecrets>;

export function createConnectorSecrets(texts: SealedTexts) {
  function secretsOf(organizationId: string, { masked, sealed }: SealedConnector): Secrets {
    if (sealed === undefined) return {};
    const opened = texts.open(sealed, placeOf(organizationId, masked));
    if (opened === undefined) throw secretNeeded();
    const secrets: Secrets = JSON.parse(opened);
    return secrets;
  }
  const isSamePlace = (organizationId: string, { masked }: SealedConnector, sent: SourceConnector) =>
    placeOf(organizationId, masked) === placeOf(organizationId, sent);
  return {
    /** Whether both have the same host and user, so that one secret holds for both. */
    isSamePlace,
    /**
     * Secrets that are left out or masked are taken from the stored connector. Throws `secret_needed` if one is missing or
     * was stored for another host or user.
     */
    seal(organizationId: string, sent: SourceConnector, stored?: SealedConnector) {
      if (sent.kind === 'folder') return { masked: sent, sealed: undefined };
      // The stored secret goes to no other host, and belongs to no other user.
      const kept = stored && isSamePlace(organizationId, stored, sent) ? secretsOf(organizationId, stored) : {};
      const given = secretsIn(sent);
      const chosen = (name: keyof Secrets) => {
        const value = given[name];
        return value === undefined || isMasked(value) ? kept[name] : value;
      };
      const secrets = { secret: chosen('secret'), client_secret: chosen('client_secret') };
      const isMissing = (name: keyof Secrets) => given[name] !== undefined && secrets[name] === undefined;
      if ((needsSecret(sent) && secrets.secret === undefined) || isMissing('secret') || isMissing('client_secret')) {
        throw secretNeeded();
      }
      if (secrets.secret === undefined && secrets.client_secret === undefined)
        return { masked: sent, sealed: undefined };
      const shown = Object.fromEntries(
        Object.entries(secrets).flatMap(([name, value]) => (value === undefined ? [] : [[name, maskToken(value)]])),
      );
      return {
        masked: { ...sent, ...shown },
        sealed: texts.seal(JSON.stringify(secrets), placeOf(organizationId, sent)),
      };
    },
    /** The connector with its secrets. Throws `secret_needed` if they cannot be opened. */
    open(organizationId: string, stored: SealedConnector) {
      if (stored.masked.kind === 'folder') return stored.masked;
      const { secret: _, ...rest } = stored.masked;
      return { ...rest, ...secretsOf(organizationId, stored) };
    },
  };
}

function secretsIn(connector: SourceConnector): Secrets {
  if (connector.kind === 'folder') return {};
  const { secret } = connector;
  return connector.kind === 'imap' ? { secret, client_secret: connector.client_secret } : { secret };
}

/** A bucket without a key is read with the machine's role. */
function needsSecret(connector: SourceConnector): boolean {
  return connector.kind === 'imap' || (connector.kind === 's3' && connector.config.access_key_id !== undefined);
}

/** The host and the user that secrets are sent to and belong to. */
function placeOf(organizationId: string, { kind, config }: SourceConnector): string {
  if (kind === 's3')
    return JSON.stringify([organizationId, kind, new URL(config.endpoint).origin, config.access_key_id]);
  if (kind === 'folder') return JSON.stringify([organizationId, kind]);
  const { host, port, tls, user, oauth } = config;
  return JSON.stringify([organizationId, kind, host, port, tls, user, oauth && tokenUrlOf(oauth), oauth?.client_id]);
}

function secretNeeded(): DomainError {
  const message = 'The source needs its secret: send it again, since none is stored for this host and user.';
  return new DomainError('invalid', 'secret_needed', message);
}
