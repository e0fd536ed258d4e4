import { createPermissionRuleBody } from '@docwright/contract';
import { conditionLabel } from '../../shared/formats/rule-condition.ts';
import { describe, expect, it } from 'vitest';
import { emptyRule, isComplete, ruleBody } from './rule-labels.ts';

const fields = { ...emptyRule, tool: ' create_* ', condition: 'equals' as const };

describe('a rule of the form', () => {
  it('has no condition if it always applies', () => {
    expect(ruleBody({ ...fields, condition: 'always' })).toEqual({
      tool: 'create_*',
      effect: 'ask',
      scope: 'organization',
    });
  });

  it('compares with JSON if the value is JSON, else with text', () => {
    expect(ruleBody({ ...fields, path: 'n', value: '3' }).when).toEqual({ path: 'n', equals: 3 });
    expect(ruleBody({ ...fields, path: 'name', value: 'Bank' }).when).toEqual({ path: 'name', equals: 'Bank' });
  });

  it('is accepted by the server, and described in words', () => {
    const body = ruleBody({ ...fields, path: 'name', condition: 'matches', value: '^Bank' });
    expect(createPermissionRuleBody.parse(body)).toEqual(body);
    expect(conditionLabel(body.when)).toBe('where name matches /^Bank/');
  });

  it('can check the source of an argument', () => {
    const body = ruleBody({ ...fields, condition: 'from', path: ' tag_ids ', from: 'document' });
    expect(createPermissionRuleBody.parse(body)).toEqual(body);
    expect(conditionLabel(body.when)).toBe('where tag_ids comes from a document');
  });

  it('can check a measurement', () => {
    const measured = { ...fields, condition: 'measured' as const, broken: '0', documents: '', gain: '1.5' };
    const body = ruleBody(measured);
    expect(createPermissionRuleBody.parse(body)).toEqual(body);
    expect(body.when).toEqual({ evaluation: { broken_at_most: 0, accuracy_gain_at_least: 0.015 } });
    expect(isComplete({ ...measured, broken: '', gain: '' })).toBe(false);
  });

  it('is incomplete without an argument or a value to compare with', () => {
    expect(isComplete(fields)).toBe(false);
    expect(isComplete({ ...fields, path: 'name' })).toBe(false);
    expect(isComplete({ ...fields, path: 'name', value: 'x' })).toBe(true);
    expect(isComplete({ ...fields, path: 'name', condition: 'from' })).toBe(true);
  });
});
