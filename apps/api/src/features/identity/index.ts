export { hasScope, requireScope } from './rights/token-scopes.ts';
export { arrivalActor, lesserRole, requireAdmin, requireWriter } from './rights/actor.ts';
export type { Actor, Principal } from './rights/actor.ts';
export type { AuthenticationService } from './authentication/authentication-service.ts';
export type { IdentityServices } from './identity-services.ts';
export { createOrganizationRepository } from './organizations/organization-repository.ts';
export type { UploadSettings } from './organizations/organization-repository.ts';
export { createUserRepository } from './users/user-repository.ts';
