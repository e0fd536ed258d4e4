import {
  createPermissionRuleBody,
  objectId,
  permissionRule,
  permissionRuleList,
  permissionRuleQuery,
  simulationAnswer,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Actor } from '../identity/index.ts';
import type { PermissionRuleService } from './permission-rule-service.ts';
import type { SimulateRule } from './simulation-service.ts';

const tags = ['permission rules'];
const listPath = z.object({ org_id: objectId });
const rulePath = listPath.extend({ rule_id: objectId });
const path = '/v0/orgs/:org_id/permission_rules';

const howRulesHold =
  '`deny` holds before `ask` before `allow`; where nothing matches, read-only tools run and writes ask. `auto_approve` and `auto_approved_tools` count as one more `allow` of their turn: neither a deny nor an ask is passed by. A viewer’s writes never run.';
const whatRulesTake =
  '`tool` is a name or a pattern with `*`. `when` looks at one argument as the call will run with it: `path` is dotted with indexes (`*` for any index or key), `equals` compares JSON values, `matches` is a regular expression without look-around and back references, found anywhere in the value. A `deny` or `ask` holds for every spelling (keys with dots, text inside a list or object, Unicode’s compatible forms) and where it cannot be told; an `allow` only where all that the path names fits as written. A rule of a document also restricts calls of other chats that name it in `document_id`.';

interface PermissionRuleRouteServices {
  permissionRules: (actor: Actor) => PermissionRuleService;
  simulateRule: SimulateRule;
}

export const permissionRuleRoutes: FastifyPluginAsyncZod<{ services: PermissionRuleRouteServices }> = async (
  app,
  { services: { permissionRules, simulateRule } },
) => {
  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listPermissionRules',
        summary: 'List the permission rules of the organization, and one’s own',
        description: `The newest first. ${howRulesHold}`,
        params: listPath,
        querystring: permissionRuleQuery,
        response: { 200: permissionRuleList },
      },
    },
    async (request) => permissionRules(request.actor).list(request.query),
  );

  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createPermissionRule',
        summary: 'Create a permission rule',
        description: `Rules of the organization are the admins’ to write; those of a thread or document hold for the person who makes them. ${whatRulesTake} ${howRulesHold}`,
        params: listPath,
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
    },
    async (request, reply) => reply.code(201).send(await permissionRules(request.actor).create(request.body)),
  );

  app.post(
    `${path}/simulate`,
    {
      schema: {
        tags,
        operationId: 'simulatePermissionRule',
        summary: 'Tell which past calls a rule would have decided otherwise',
        description:
          'Takes the body of a new rule and writes nothing. Of the last proposed calls, 1,000 at most in the audit log are looked at, one’s own or, for an admin and a rule of the organization, everybody’s; at most 100 are told; `truncated` says that older ones were left out. A call whose arguments the log keeps in part counts as undecidable where the rule has a condition.',
        params: listPath,
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
    },
    async (request) => simulateRule(request.actor, request.body),
  );

  app.delete(
    `${path}/:rule_id`,
    {
      schema: {
        tags,
        operationId: 'deletePermissionRule',
        summary: 'Delete a permission rule',
        description: 'Holds from the next call on, in turns that wait or run too.',
        params: rulePath,
        errors: ['admin_required', 'permission_rule_not_found'],
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await permissionRules(request.actor).delete(request.params.rule_id);
      return reply.code(204).send();
    },
  );
};
