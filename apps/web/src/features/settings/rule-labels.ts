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
  /** The dotted path of an argument. */
  path: string;
  value: string;
  from: ProvenanceSource;
  /** Limits of a measurement; empty for none. */
  broken: string;
  documents: string;
  /** In percentage points. */
  gain: string;
}

/** The condition of a rule; `always` for none. */
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

/** Whether all required fields are filled in. */
export function isComplete({ tool, condition, path, value, broken, documents, gain }: RuleFields): boolean {
  if (tool.trim() === '') return false;
  if (condition === 'always') return true;
  if (condition === 'measured') return [broken, documents, gain].some((each) => each !== '');
  return path.trim() !== '' && (condition === 'from' || value !== '');
}

/** The rule as a request body. The value to compare with is JSON if it parses, else text. */
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
