import { z } from 'zod';
import { tokenScope } from './identity.ts';

/** The metadata that a client of the Model Context Protocol reads first (RFC 9728). */
export const oauthProtectedResource = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

/** RFC 8414. */
export const oauthAuthorizationServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
});

/** How many addresses a client can register. */
export const maxRedirectAddresses = 10;

/**
 * What a client says of itself when it registers (RFC 7591). Other members are ignored. The service answers a wrong one with the
 * error that the RFC names.
 */
export const oauthClientMetadata = z.looseObject({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(maxRedirectAddresses),
});

/** A registered client (RFC 7591). */
export const oauthClientAnswer = z.object({
  client_id: z.string(),
  client_id_issued_at: z.number().int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.string(),
});

export const oauthTokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.string(),
  /** Seconds. */
  expires_in: z.number().int().optional(),
  scope: z.string().optional(),
  /** Works once; each answer has the next one. */
  refresh_token: z.string().optional(),
});

/** The error format of OAuth, used only at the OAuth endpoints. */
export const oauthError = z.object({ error: z.string(), error_description: z.string() });

/** The query with which a client sends the user's browser. */
export const oauthRequestQuery = z.object({
  client_id: z.string().min(1).max(100),
  redirect_uri: z.string().min(1).max(2_000),
  response_type: z.string().max(20),
  code_challenge: z.string().max(128),
  code_challenge_method: z.string().max(20),
  state: z.string().max(2_000).optional(),
  scope: z.string().max(500).optional(),
  resource: z.string().max(2_000).optional(),
});
export const oauthRequestAnswer = z.object({
  /** The client's own name for itself. */
  client_name: z.string(),
  /** The place to which the user is sent back: a host, or the scheme of a program. */
  place: z.string(),
  scopes: z.array(tokenScope),
  denied_redirect_to: z.string(),
});
export type OAuthRequest = z.infer<typeof oauthRequestAnswer>;

export const grantOAuthBody = oauthRequestQuery.extend({ scopes: z.array(tokenScope).min(1).max(4) });
export const grantOAuthAnswer = z.object({ redirect_to: z.string() });
