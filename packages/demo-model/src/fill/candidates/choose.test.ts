import { describe, expect, it } from 'vitest';
import { documentOf } from '../../page/document-text.ts';
import { layoutLine } from '../../page/layout.ts';
import { fillSchema } from '../fill-schema.ts';
import type { FieldSchema } from '../schema/json-schema.ts';
import type { Candidate } from './candidate.ts';
import { chooseCandidate, minProbability } from './choose.ts';

const line = layoutLine('Total 7.00', 1, 0);
const labelled: Candidate<number> = { value: 7, written: '7.00', line, source: 'label', fit: 1 };
const text: FieldSchema = { type: ['string', 'null'] };
const number: FieldSchema = { type: ['number', 'null'] };

function fill(page: string, properties: Record<string, FieldSchema>) {
  return fillSchema({ type: 'object', properties }, documentOf('page', [{ page: 1, text: page }]));
}

it('chooses the candidate that arithmetic confirms, and is less certain of one with a rival', () => {
  const other: Candidate<number> = { ...labelled, value: 9, written: '9.00' };
  expect(chooseCandidate([labelled, { ...other, arithmetic: 1 }])?.value).toBe(9);
  const alone = chooseCandidate([labelled])!.probability;
  expect(chooseCandidate([labelled, other])!.probability).toBeLessThan(alone);
  expect(chooseCandidate([labelled, { ...other, value: 7 }])!.probability).toBe(alone);
  expect(chooseCandidate([])).toBeNull();
});

it('leaves an uncertain value empty, and returns the probability of null', () => {
  const { value, probabilities } = fill('Nationality\nTwizzle        Nurse', { nationality: text });
  expect(value).toEqual({ nationality: null });
  expect(1 - probabilities.get('nationality')!).toBeLessThan(minProbability);
});

it('does not read a caption of unknown words as a value', () => {
  const page = 'Policy number:\nGrumbledorf: 59,900.00\n\nNationality\nTwizzle        Nurse';
  expect(fill(page, { policy_number: text, nationality: text }).value).toEqual({
    policy_number: null,
    nationality: null,
  });
});

it('reads the name above a street, not the unknown heading above the name', () => {
  const page = 'Alder Works Ltd\n9 Mill Road\n12345 Leeds\n\nBauherr\nRuth Low\nFichtenweg 41\n34117 Kassel';
  expect(fill(page, { buyer_name: text }).value).toEqual({ buyer_name: 'Ruth Low' });
});

it('chooses by the description and the type of a field when its name means nothing', () => {
  const page = 'Ordered by: Ann Low\nChecked by: Ben Ode\nMileage: 12 500\nInspected: 3 May 2024';
  const asked = (description: string, type = text): unknown =>
    (fill(page, { field_7: { ...type, description } }).value as { field_7: unknown }).field_7;
  expect(asked('Checked by')).toBe('Ben Ode');
  expect(asked('Ordered by')).toBe('Ann Low');
  expect(asked('Mileage', number)).toBe(12_500);
  expect(asked('Ordered by', number)).toBeNull();
  expect(asked('Inspected', { ...text, format: 'date' })).toBe('2024-05-03');
});

describe('a value that could be another one', () => {
  const doubtOf = (page: string, name: string): number => {
    const { value, probabilities } = fill(page, { [name]: text });
    const probability = probabilities.get(name) ?? 1;
    return (value as Record<string, unknown>)[name] === null ? -(1 - probability) : 1 - probability;
  };

  it('is filled and uncertain if it could go on below, or day and month could be the other way round', () => {
    expect(doubtOf('Event:   Spring Fair\n         Hall 4\nPlace:   Leeds', 'event')).toBeGreaterThan(0.2);
    expect(doubtOf('Event:   Spring Fair\nPlace:   Leeds', 'event')).toBeLessThan(0.1);
    expect(doubtOf('Event date: 3/4/2021', 'event_date')).toBeGreaterThan(0.2);
    expect(doubtOf('Event date: 3/4/2021\nPaid: $12.00', 'event_date')).toBeLessThan(0.1);
  });

  it('is less certainly empty if its label is on the page', () => {
    expect(doubtOf('Sales office\n\nLoading berth:\n', 'loading_berth')).toBeCloseTo(-0.4);
    expect(doubtOf('Sales office', 'loading_berth')).toBeCloseTo(0);
  });
});
