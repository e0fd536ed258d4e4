import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import {
  createPermissionRuleBody,
  permissionRule,
  permissionRuleList,
  permissionRuleQuery,
  simulationAnswer,
} from './permissions.ts';

const precedence =
  '`deny` takes precedence over `ask`, and `ask` over `allow`; without a matching rule, read-only tools run and writes need approval. `auto_approve` and `auto_approved_tools` count as one more `allow` for their turn: they override neither `deny` nor `ask`. A viewer’s writes never run.';
const ruleFormat =
  '`tool` is a name or a pattern with `*`. `when` tests one argument of the call as it will run: `path` is dotted with indexes (`*` for any index or key), `equals` compares JSON values, `matches` is a regular expression without look-around and back references, found anywhere in the value. A `deny` or `ask` applies to every spelling (keys with dots, text inside a list or object, Unicode’s compatible forms) and in undecidable cases; an `allow` applies only if all values at the path match exactly. A rule of a document also restricts calls of other chats that name it in `document_id`.';

export const permissionRuleOperations = describeOperations('permission rules', {
  'GET /v0/orgs/:org_id/permission_rules': {
    operationId: 'listPermissionRules',
    summary: 'List the permission rules of the organization, and your own',
    description: `Newest first. ${precedence}`,
    querystring: permissionRuleQuery,
    response: { 200: permissionRuleList },
  },
  'POST /v0/orgs/:org_id/permission_rules': {
    operationId: 'createPermissionRule',
    summary: 'Create a permission rule',
    description: `Only admins write rules of the organization; rules of a thread or document apply to the user who creates them. ${ruleFormat} ${precedence}`,
    body: createPermissionRuleBody.meta({
      examples: [
        { tool: 'delete_*', effect: 'deny', scope: 'organization' },
        {
          tool: 'create_tag',
          when: { path: 'name', matches: '^Invoice' },
          effect: 'allow',
          scope: 'document',
          document_id: '6650f1c2a4b3d2e1f0a9b8c7',
        },
      ],
    }),
    errors: [
      'condition_too_long',
      'evaluation_condition_misplaced',
      'invalid_pattern',
      'scope_mismatch',
      'too_many_rules',
      'unknown_reference',
      'unknown_tool',
      'admin_required',
    ],
    response: { 201: permissionRule },
  },
  'POST /v0/orgs/:org_id/permission_rules/simulate': {
    operationId: 'simulatePermissionRule',
    summary: 'List past calls that a rule would have decided differently',
    description:
      'Takes the body of a new rule and writes nothing. Examines the last 1,000 proposed calls in the audit log: your own or, for an admin and a rule of the organization, all users’. Lists at most 100; `truncated` tells that older ones were left out. If the rule has a condition, a call whose arguments are only partly in the log counts as undecidable.',
    body: createPermissionRuleBody.meta({
      examples: [{ tool: 'update_*', effect: 'allow', scope: 'organization' }],
    }),
    errors: [
      'condition_too_long',
      'evaluation_condition_misplaced',
      'invalid_pattern',
      'scope_mismatch',
      'unknown_reference',
      'unknown_tool',
    ],
    response: { 200: simulationAnswer },
  },
  'DELETE /v0/orgs/:org_id/permission_rules/:rule_id': {
    operationId: 'deletePermissionRule',
    summary: 'Delete a permission rule',
    description: 'Takes effect with the next call, also in pending and running turns.',
    errors: ['admin_required', 'permission_rule_not_found'],
    response: { 204: z.undefined() },
  },
});
