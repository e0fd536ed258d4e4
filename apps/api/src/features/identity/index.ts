export { hasScope, requireScope } from './access-tokens/token-scopes.ts';
export { lesserRole, requireAdmin, requireWriter } from './actor.ts';
export type { Actor, Principal } from './actor.ts';
export type { AuthenticationService } from './authentication-service.ts';
export type { IdentityServices } from './identity-services.ts';
export { createOrganizationRepository } from './organizations/organization-repository.ts';
export type { AutoCreateSettings } from './organizations/organization-repository.ts';
