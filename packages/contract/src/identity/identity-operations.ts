import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import {
  changePasswordBody,
  confirmSecondFactorBody,
  endSessionsQuery,
  loginAnswer,
  loginBody,
  meAnswer,
  passwordAndCodeBody,
  passwordBody,
  proposedSecondFactor,
  recoveryCodes,
  registerAnswer,
  registerBody,
  secondFactorState,
  sessionList,
} from './identity.ts';

export const identityOperations = describeOperations('identity', {
  'POST /v0/auth/register': {
    operationId: 'register',
    summary: 'Open an account',
    description:
      'The first user claims the first organization; unless HOST is loopback, that needs the `setup_token` of the printed link. Later users need an `invitation_token`, or ALLOW_SIGNUP, which gives them their own organization.',
    body: registerBody,
    errors: [
      'invitation_not_valid',
      'setup_token_needed',
      'signup_closed',
      'email_taken',
      'password_too_common',
      'too_many_passwords',
    ],
    response: { 201: registerAnswer },
  },
  'POST /v0/auth/login': {
    operationId: 'login',
    summary: 'Sign in with a password',
    description:
      'Answers a JWT and sets it as an HttpOnly, SameSite=Lax cookie for the web app. For an account with a second factor, `code` is a code of the authenticator app or a recovery code.',
    body: loginBody,
    errors: ['wrong_credentials', 'second_factor_needed', 'wrong_code', 'too_many_sign_ins', 'too_many_passwords'],
    response: { 200: loginAnswer },
  },
  'POST /v0/auth/logout': {
    operationId: 'logout',
    summary: 'Sign out',
    description: 'Ends the session behind the cookie or JWT; both stop working.',
    response: { 204: z.undefined() },
  },
  'PUT /v0/auth/password': {
    operationId: 'changePassword',
    summary: 'Change the password',
    description: 'Ends every other session of the user. Access tokens stay: revoke them separately.',
    body: changePasswordBody,
    errors: ['wrong_password', 'session_needed', 'password_too_common', 'too_many_sign_ins', 'too_many_passwords'],
    response: { 204: z.undefined() },
  },
  'GET /v0/auth/sessions': {
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Newest first.',
    querystring: pageQuery,
    errors: ['session_needed'],
    response: { 200: sessionList },
  },
  'DELETE /v0/auth/sessions': {
    operationId: 'endSessions',
    summary: 'Sign out everywhere',
    description:
      'Ends all sessions of the user, with `keep_current=true` all others, and with `access_tokens=true` also revokes their access tokens.',
    querystring: endSessionsQuery,
    errors: ['session_needed'],
    response: { 204: z.undefined() },
  },
  'DELETE /v0/auth/sessions/:session_id': {
    operationId: 'endSession',
    summary: 'End one session',
    errors: ['session_needed'],
    response: { 204: z.undefined() },
  },
  'GET /v0/me': {
    operationId: 'getMe',
    summary: 'Get the signed-in user and their organizations',
    description: 'With an access token, only its organization is listed, with the token’s role.',
    errors: ['no_account'],
    response: { 200: meAnswer },
  },
  'GET /sign-in': {
    operationId: 'followSignInLink',
    summary: 'Follow the printed link',
    description:
      'With the token of the printed link, signs in once as the owner of the first organization and redirects to `/`. Without a token, or with a used one, the web app shows the sign-in page.',
    querystring: z.object({ token: z.string().max(500).optional() }),
    errors: ['web_app_not_built'],
    response: {
      200: { description: 'The web app.', content: { 'text/html': { schema: z.string() } } },
      302: z.undefined().describe('To `/`, or to the sign-in page of the web app if the link was used before.'),
    },
  },
  'GET /v0/auth/second_factor': {
    operationId: 'getSecondFactor',
    summary: 'Get the state of the second factor',
    errors: ['session_needed'],
    response: { 200: secondFactorState },
  },
  'POST /v0/auth/second_factor/totp': {
    operationId: 'proposeSecondFactor',
    summary: 'Get a secret for an authenticator app',
    description:
      'Answers a TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds) and its `otpauth:` URI for a QR code. It takes effect when a code of it is confirmed within 15 minutes.',
    body: passwordBody,
    errors: ['wrong_password', 'session_needed', 'second_factor_on', 'too_many_sign_ins', 'too_many_passwords'],
    response: { 201: proposedSecondFactor },
  },
  'POST /v0/auth/second_factor/totp/confirm': {
    operationId: 'confirmSecondFactor',
    summary: 'Turn the second factor on',
    description:
      'Takes a code of the authenticator app. From then on, a sign-in with the password needs a `code`. Answers ten recovery codes, each for one sign-in, which are shown only once. Ends every other session; access tokens stay.',
    body: confirmSecondFactorBody,
    errors: ['session_needed', 'second_factor_on', 'enrolment_over', 'code_not_confirmed', 'too_many_sign_ins'],
    response: { 200: recoveryCodes },
  },
  'POST /v0/auth/second_factor/recovery_codes': {
    operationId: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'The previous codes stop working.',
    body: passwordAndCodeBody,
    errors: [
      'wrong_password',
      'wrong_code',
      'session_needed',
      'second_factor_off',
      'too_many_sign_ins',
      'too_many_passwords',
    ],
    response: { 200: recoveryCodes },
  },
  'POST /v0/auth/second_factor/remove': {
    operationId: 'removeSecondFactor',
    summary: 'Turn the second factor off',
    description: 'Takes the password and a code or a recovery code.',
    body: passwordAndCodeBody,
    errors: [
      'wrong_password',
      'wrong_code',
      'session_needed',
      'second_factor_off',
      'too_many_sign_ins',
      'too_many_passwords',
    ],
    response: { 204: z.undefined() },
  },
});
