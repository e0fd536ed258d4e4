import { DomainError, type TokenScope } from '@docwright/contract';
import type { Principal } from './actor.ts';

const webhookRoute = /^\/v0\/orgs\/:org_id\/webhooks(\/|$)/;

/** Routes whose scope does not follow from the method; the first match counts. Every other write needs `decide`. */
const exceptions: readonly (readonly [TokenScope, RegExp])[] = [
  ['admin', /\/(members|invitations|access_tokens|oauth_grants|budget)(\/|$)/],
  ['admin', /\/llm\/providers\//],
  ['admin', /^\/v0\/orgs(\/:org_id)?$/],
  // They read with a body.
  ['read', /\/(search|validate|simulate|matching|next_times|estimate)$/],
  // MCP tools check their own scope at each call.
  ['read', /^\/mcp$/],
  ['propose', /\/documents$/],
  ['propose', /\/documents\/:document_id\/chat$/],
  ['propose', /\/turns\/:turn_id\/stop$/],
  ['propose', /^\/api\/schema-chat$/],
  ['propose', /\/ask$/],
  ['propose', /^\/api\/v2\/agent\/conversations(\/:conversation_id\/(messages|stop))?$/],
];

/** The scope that a token needs for a route. Closed by default: an unlisted route is a write without approval. */
export function scopeOf(method: string, route: string): TokenScope {
  // Their list is read with the same scope, so that a token for webhooks alone can manage them.
  if (webhookRoute.test(route)) return 'webhooks';
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return 'read';
  return exceptions.find(([, pattern]) => pattern.test(route))?.[0] ?? 'decide';
}

export function hasScope({ token }: Principal, scope: TokenScope): boolean {
  if (token === undefined || token.scopes.includes(scope)) return true;
  // Tokens of admins from before this scope manage webhooks as well.
  return scope === 'webhooks' && token.scopes.includes('admin');
}

/** @throws DomainError scope_missing */
export function requireScope(principal: Principal, scope: TokenScope): void {
  if (hasScope(principal, scope)) return;
  throw new DomainError(
    'forbidden',
    'scope_missing',
    `This access token lacks the scope "${scope}". Decide in the web app, or create a token that has it.`,
  );
}
