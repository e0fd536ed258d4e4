import { createPermissionRuleBody } from '@docwright/contract';
import { conditionLabel } from '../../shared/formats/rule-condition.ts';
import { describe, expect, it } from 'vitest';
import { ruleBody, type RuleFields } from './rule-labels.ts';

const fields: RuleFields = { tool: ' create_* ', effect: 'ask', path: '', comparison: 'equals', value: '' };

describe('a rule of the form', () => {
  it('has no condition without a path', () => {
    expect(ruleBody(fields)).toEqual({ tool: 'create_*', effect: 'ask', scope: 'organization' });
  });

  it('compares with JSON where it can be read so, else with text', () => {
    expect(ruleBody({ ...fields, path: 'n', value: '3' }).when).toEqual({ path: 'n', equals: 3 });
    expect(ruleBody({ ...fields, path: 'name', value: 'Bank' }).when).toEqual({ path: 'name', equals: 'Bank' });
  });

  it('is one that the server takes, and reads as it was meant', () => {
    const body = ruleBody({ ...fields, path: 'name', comparison: 'matches', value: '^Bank' });
    expect(createPermissionRuleBody.parse(body)).toEqual(body);
    expect(conditionLabel(body.when)).toBe('where name matches /^Bank/');
  });
});
