import type { CreatePermissionRuleBody, PermissionEffect, ProvenanceSource } from '@docwright/contract';

export const ruleEffectLabel: Record<PermissionEffect, string> = {
  allow: 'runs automatically',
  ask: 'asks first',
  deny: 'never runs',
};

export interface RuleFields {
  tool: string;
  effect: PermissionEffect;
  condition: RuleConditionKind;
  /** Of an argument. */
  path: string;
  value: string;
  from: ProvenanceSource;
  /** Of a measurement; empty: does not count. */
  broken: string;
  documents: string;
  /** In points of a hundred. */
  gain: string;
}

/** What a rule of the form looks at; `always` is no condition. */
export type RuleConditionKind = 'always' | 'equals' | 'matches' | 'from' | 'measured';

export const emptyRule: RuleFields = {
  tool: '',
  effect: 'ask',
  condition: 'always',
  path: '',
  value: '',
  from: 'document',
  broken: '0',
  documents: '5',
  gain: '0',
};

/** What is still to be filled in, as far as the form can tell. */
export function isComplete({ tool, condition, path, value, broken, documents, gain }: RuleFields): boolean {
  if (tool.trim() === '') return false;
  if (condition === 'always') return true;
  if (condition === 'measured') return [broken, documents, gain].some((each) => each !== '');
  return path.trim() !== '' && (condition === 'from' || value !== '');
}

/** A rule of the organization. A value to compare with is JSON where it can be read so, else text. */
export function ruleBody(fields: RuleFields): CreatePermissionRuleBody {
  const when = conditionOf(fields);
  return { tool: fields.tool.trim(), effect: fields.effect, scope: 'organization', ...(when && { when }) };
}

function conditionOf({ condition, path, value, from, ...measured }: RuleFields): CreatePermissionRuleBody['when'] {
  const place = path.trim();
  switch (condition) {
    case 'always':
      return undefined;
    case 'equals':
      return { path: place, equals: jsonOrText(value) };
    case 'matches':
      return { path: place, matches: value };
    case 'from':
      return { provenance: { path: place, from } };
    case 'measured': {
      const { broken, documents, gain } = measured;
      return {
        evaluation: {
          ...(broken !== '' && { broken_at_most: Number(broken) }),
          ...(documents !== '' && { documents_at_least: Number(documents) }),
          ...(gain !== '' && { accuracy_gain_at_least: Number(gain) / 100 }),
        },
      };
    }
  }
}

type JsonValue = Extract<NonNullable<CreatePermissionRuleBody['when']>, { equals: unknown }>['equals'];

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
