import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { PermissionRuleService } from './permission-rule-service.ts';
import type { SimulateRule } from './simulation-service.ts';

interface PermissionRuleRouteServices {
  permissionRules: (actor: Actor) => PermissionRuleService;
  simulateRule: SimulateRule;
}

export const permissionRuleRoutes: FastifyPluginAsync<{ services: PermissionRuleRouteServices }> = async (
  app,
  { services: { permissionRules, simulateRule } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/permission_rules', ({ actor, query }) => permissionRules(actor).list(query));
  route('POST /v0/orgs/:org_id/permission_rules', ({ actor, body }) => permissionRules(actor).create(body));
  route('POST /v0/orgs/:org_id/permission_rules/simulate', ({ actor, body }) => simulateRule(actor, body));
  route('DELETE /v0/orgs/:org_id/permission_rules/:rule_id', ({ actor, params }) =>
    permissionRules(actor).delete(params.rule_id),
  );
};
