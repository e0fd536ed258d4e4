import type { CreatePermissionRuleBody, PermissionEffect } from '@docwright/contract';

export const effectLabel: Record<PermissionEffect, string> = {
  allow: 'runs automatically',
  ask: 'asks first',
  deny: 'never runs',
};

export interface RuleFields {
  tool: string;
  effect: PermissionEffect;
  /** Empty: the rule has no condition. */
  path: string;
  comparison: 'equals' | 'matches';
  value: string;
}

/** A rule of the organization. A value to compare with is JSON where it can be read so, else text. */
export function ruleBody({ tool, effect, path, comparison, value }: RuleFields): CreatePermissionRuleBody {
  const body = { tool: tool.trim(), effect, scope: 'organization' as const };
  const place = path.trim();
  if (place === '') return body;
  return {
    ...body,
    when: comparison === 'matches' ? { path: place, matches: value } : { path: place, equals: jsonOrText(value) },
  };
}

type JsonValue = Extract<NonNullable<CreatePermissionRuleBody['when']>, { equals: unknown }>['equals'];

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
