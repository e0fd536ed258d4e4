import type { JWT } from '@fastify/jwt';
import type { Connection } from 'mongoose';
import { deriveKey } from '../../platform/settings/app-secret.ts';
import { createSealedTexts } from '../../platform/settings/sealed-text.ts';
import { createAccessTokenRepository } from './access-tokens/access-token-repository.ts';
import { createAccessTokenService } from './access-tokens/access-token-service.ts';
import { createAuthenticationService } from './authentication/authentication-service.ts';
import { createOAuthRepository } from './oauth/oauth-repository.ts';
import { createOAuthService } from './oauth/oauth-service.ts';
import { createInvitationAcceptance } from './organizations/invitation-acceptance.ts';
import { createInvitationRepository } from './organizations/invitation-repository.ts';
import { createMemberService } from './organizations/member-service.ts';
import { createOrganizationRepository } from './organizations/organization-repository.ts';
import { createOrganizationService } from './organizations/organization-service.ts';
import { createSecondFactorRepository } from './second-factor/second-factor-repository.ts';
import { createSecondFactorService } from './second-factor/second-factor-service.ts';
import { createRegistrationService } from './sign-in/registration-service.ts';
import { createSessionRepository } from './sessions/session-repository.ts';
import { createSessionTokens } from './sessions/session-tokens.ts';
import { createSignInAttemptRepository } from './sign-in-limit/sign-in-attempt-repository.ts';
import { createSignInLimit } from './sign-in-limit/sign-in-limit.ts';
import { createSignInLinkRepository } from './sign-in/sign-in-link-repository.ts';
import { createSignInService } from './sign-in/sign-in-service.ts';
import { createPasswordPlaces } from './secrets/password-places.ts';
import { createTokenHasher } from './secrets/token-hash.ts';
import { createUserRepository } from './users/user-repository.ts';

export type IdentityServices = ReturnType<typeof createIdentityServices>;

/** Composes accounts, sign-in and memberships. */
export function createIdentityServices(dependencies: {
  connection: Connection;
  jwt: JWT;
  appSecret: string;
  allowSignup: boolean;
  log: { info(fields: object, message: string): void };
}) {
  const { connection, jwt, appSecret, allowSignup, log } = dependencies;
  const users = createUserRepository(connection);
  const organizations = createOrganizationRepository(connection);
  const accessTokens = createAccessTokenRepository(connection);
  const invitations = createInvitationRepository(connection);
  const sessions = createSessionRepository(connection);
  const links = createSignInLinkRepository(connection);
  const sessionTokens = createSessionTokens({ jwt, sessions });
  const hashToken = createTokenHasher(deriveKey(appSecret, 'token-hash'));
  const acceptance = createInvitationAcceptance({ organizations, invitations, hashToken });
  const shared = {
    acceptance,
    users,
    organizations,
    accessTokens,
    invitations,
    sessions,
    links,
    sessionTokens,
    hashToken,
  };
  const signInLimit = createSignInLimit(createSignInAttemptRepository(connection, hashToken));
  const secondFactor = createSecondFactorService({
    ...shared,
    secondFactors: createSecondFactorRepository(connection),
    sealedTexts: createSealedTexts(deriveKey(appSecret, 'second-factor')),
    signInLimit,
    log,
  });
  const accessTokenService = createAccessTokenService(shared);
  const organizationService = createOrganizationService({ organizations });
  return {
    authentication: createAuthenticationService(shared),
    registration: createRegistrationService({ ...shared, allowSignup }),
    signInLimit,
    passwordPlaces: createPasswordPlaces(),
    secondFactor,
    signIn: createSignInService({ ...shared, secondFactor, organizations: organizationService }),
    organizations: organizationService,
    uploadSettings: (organizationId: string) => organizations.uploadSettings(organizationId),
    localeOf: (organizationId: string) => organizations.localeOf(organizationId),
    roleOf: (organizationId: string, userId: string) => organizations.roleOf(organizationId, userId),
    evaluationSettings: (organizationId: string) => organizations.evaluationSettings(organizationId),
    members: createMemberService(shared),
    accessTokens: accessTokenService,
    oauth: createOAuthService({
      ...shared,
      accessTokens: accessTokenService,
      oauth: createOAuthRepository(connection),
    }),
  };
}
