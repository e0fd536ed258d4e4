import { z } from 'zod';
import {
  languageTag,
  pageInfo,
  recordId,
  seenFields,
  shownName,
  timeZone,
  timestamp,
  yesOrNo,
} from '../base/fields.ts';
import { onAsk } from '../base/write-origin.ts';

export const role = z.enum(['admin', 'member', 'viewer']);
export type Role = z.infer<typeof role>;

const email = z
  .email('An e-mail address is needed.')
  .max(254)
  .transform((address) => address.toLowerCase());
const displayName = shownName(200);
const password = z.string().min(12, 'A password has at least 12 characters.').max(1024);

export const user = z.object({ id: recordId, email: z.string(), name: z.string(), created_at: timestamp });
export type User = z.infer<typeof user>;

/** `off`: never; `ask`: the approval card offers it; `auto`: it starts automatically. */
export const evaluateBeforeApproval = z.enum(['off', 'ask', 'auto']);
export type EvaluateBeforeApproval = z.infer<typeof evaluateBeforeApproval>;

/** Maximum number of SPU for an automatically started measurement. */
const evaluationBudget = z.number().int().min(0).max(1_000_000);
/** An agent's measurement of more documents than this needs approval. */
const evaluationAskAbove = z.number().int().min(0).max(1000);

/**
 * What happens to an upload with the bytes of a document: it becomes a duplicate that is not read (`mark`), is refused
 * (409 `duplicate`), or is a document like any other (`keep`).
 */
export const onDuplicate = z.enum(['mark', 'refuse', 'keep']);
export type OnDuplicate = z.infer<typeof onDuplicate>;

/** Days after which an unused conversation is removed; null keeps conversations for ever. */
export const keepConversationsDays = z.number().int().min(1).max(3_650).nullable();

export const organization = z.object({
  id: recordId,
  name: z.string(),
  auto_create_default: z.boolean(),
  /** The default of `on_ask` for automatic proposals: what happens to a call that needs approval. */
  auto_create_on_ask: onAsk,
  on_duplicate: onDuplicate,
  /** For dates such as today, where a request names no time zone; UTC if null. */
  time_zone: z.string().nullable(),
  /** The language of answers, where neither the request nor the person's words say another. */
  language: z.string().nullable(),
  evaluate_before_approval: evaluateBeforeApproval,
  evaluation_budget_spu: evaluationBudget,
  evaluation_ask_above: evaluationAskAbove,
  /** Whether users need a sign-in with a second factor. Access tokens are exempt. */
  require_second_factor: z.boolean(),
  keep_conversations_days: keepConversationsDays,
  created_at: timestamp,
});
export type Organization = z.infer<typeof organization>;

export const membership = organization.extend({ role });
export type Membership = z.infer<typeof membership>;

export const registerBody = z.object({
  email,
  name: displayName,
  password,
  invitation_token: z.string().max(500).optional(),
  setup_token: z.string().max(500).optional(),
});
export const registerAnswer = z.object({ user, organization, access_token: z.string() });

const currentPassword = z.string().min(1).max(1024);
/** Six digits of an authenticator app, or a recovery code; spaces and hyphens do not matter. */
const oneTimeCode = z.string().min(1).max(64);

/** `code` is needed for an account with a second factor. */
export const loginBody = z.object({ email, password: currentPassword, code: oneTimeCode.optional() });
export const changePasswordBody = z.object({ current_password: currentPassword, new_password: password });

/** Whether a sign-in needs a code beside the password. */
export const secondFactorState = z.object({
  enabled: z.boolean(),
  enabled_at: timestamp.nullable(),
  recovery_codes_left: z.number().int(),
});
export type SecondFactorState = z.infer<typeof secondFactorState>;
export const passwordBody = z.object({ password: currentPassword });
export const passwordAndCodeBody = passwordBody.extend({ code: oneTimeCode });
export const confirmSecondFactorBody = z.object({ code: oneTimeCode });
/** A secret in Base32 and its `otpauth:` address, not yet confirmed. */
export const proposedSecondFactor = z.object({ secret: z.string(), uri: z.string() });
/** Each code replaces a code of the app once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

/** A sign-in of a user. */
export const session = z.object({
  id: recordId,
  created_at: timestamp,
  expires_at: timestamp,
  /** The client's user agent and address at the sign-in; empty when unknown. */
  user_agent: z.string(),
  address: z.string(),
  /** Whether it is the session of this request. */
  is_current: z.boolean(),
});
export type Session = z.infer<typeof session>;
export const sessionList = pageInfo.extend({ sessions: z.array(session) });
export const endSessionsQuery = z.object({
  /** Excepts the current session. */
  keep_current: yesOrNo.default(false),
  /** Also revokes the access tokens that the user created, in every organization. */
  access_tokens: yesOrNo.default(false),
});

export const loginAnswer = z.object({ user, access_token: z.string() });

/** The signed-in user and the user's organizations; `has_password` is false for the unclaimed first owner. */
export const meAnswer = z.object({
  user: user.extend({ has_password: z.boolean() }),
  organizations: z.array(membership),
});
export type Me = z.infer<typeof meAnswer>;

export const createOrganizationBody = z.object({ name: displayName });
export const patchOrganizationBody = z.object({
  seen: seenFields,
  name: displayName.optional(),
  auto_create_default: z.boolean().optional(),
  auto_create_on_ask: onAsk.optional(),
  on_duplicate: onDuplicate.optional(),
  time_zone: timeZone.nullish(),
  language: languageTag.nullish(),
  evaluate_before_approval: evaluateBeforeApproval.optional(),
  evaluation_budget_spu: evaluationBudget.optional(),
  evaluation_ask_above: evaluationAskAbove.optional(),
  require_second_factor: z.boolean().optional(),
  keep_conversations_days: keepConversationsDays.optional(),
});
export const organizationList = pageInfo.extend({ organizations: z.array(membership) });

export const member = z.object({
  user_id: recordId,
  email: z.string(),
  name: z.string(),
  role,
  joined_at: timestamp,
});
export type Member = z.infer<typeof member>;
export const memberList = pageInfo.extend({ members: z.array(member) });
export const addMemberBody = z.object({ email, role });
export const addMemberAnswer = z.union([
  z.object({ member }),
  z.object({ invitation: z.object({ id: recordId, token: z.string(), expires_at: timestamp }) }),
]);

/** An unused invitation. Its token was shown once, to its creator. */
export const invitation = z.object({
  id: recordId,
  email: z.string(),
  role,
  /** The inviting admin. The invitation ends when that admin is removed or loses the role. */
  invited_by: z.object({ user_id: recordId, name: z.string() }),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = z.infer<typeof invitation>;
export const invitationList = pageInfo.extend({ invitations: z.array(invitation) });
export const acceptInvitationBody = z.object({ token: z.string().min(1).max(500) });
export const patchMemberBody = z.object({ role, seen: seenFields });

/**
 * The scopes of an access token, which limit its role: `read`; `propose`: upload, and use an agent whose writes need
 * approval; `decide`: approve calls, set rules, and write without approval; `admin`: actions of admins;
 * `webhooks`: the webhooks that the token makes.
 */
export const tokenScope = z.enum(['read', 'propose', 'decide', 'admin', 'webhooks']);
export type TokenScope = z.infer<typeof tokenScope>;

export const accessToken = z.object({
  id: recordId,
  name: z.string(),
  role,
  scopes: z.array(tokenScope),
  /** The first characters of the token, to distinguish tokens. */
  prefix: z.string(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
});
export type AccessToken = z.infer<typeof accessToken>;
export const createAccessTokenBody = z.object({
  name: displayName,
  lifetime_days: z.number().int().min(0).max(3650),
  role: role.optional(),
  /** Default: all scopes, or `read` and `propose` for a client of the Model Context Protocol. */
  scopes: z.array(tokenScope).min(1).max(5).optional(),
  purpose: z.enum(['program', 'mcp']).optional(),
});
export const createdAccessToken = accessToken.extend({ token: z.string() });
export const accessTokenList = pageInfo.extend({ access_tokens: z.array(accessToken) });
