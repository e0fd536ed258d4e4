import { z } from 'zod';
import type { Tool } from '../tool/tool.ts';
import type { createStockedOrganization } from './stocked-organization.ts';

type Organization = Awaited<ReturnType<typeof createStockedOrganization>>;

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: readonly string[];
}

/**
 * Arguments of a call that fit a tool, from its schema: ids of objects of the organization, and the simplest value for all
 * else. Suites that try every write use it, so that a new tool is tried without being named there.
 */
export function exampleArguments(
  { parameters, target }: Pick<Tool<never>, 'parameters' | 'target'>,
  { prompt, unused, obsolete, services }: Organization,
): Record<string, unknown> {
  const ids: Record<string, unknown> = {
    schema_id: unused.schema_id,
    schema_revid: unused.schema_revid,
    prompt_id: prompt.prompt_id,
    prompt_revid: prompt.prompt_revid,
    tag_id: obsolete.tag_id,
    tag_ids: [obsolete.tag_id],
    document_id: services.document.id,
  };
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' }) as Shape;
  const chosen = Object.keys(properties).filter((name) => name === target || required.includes(name));
  return Object.fromEntries(chosen.map((name) => [name, ids[name] ?? simplest(properties[name]!)]));
}

const simplestOf: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [], object: {} };

function simplest({ type = 'string' }: Shape): unknown {
  return simplestOf[type] ?? 'x';
}
