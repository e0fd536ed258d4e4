// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import '../../shared/testing/component-tests.ts';
import { FieldFocusContext } from '../../shared/values/field-focus.tsx';
import { FormContext } from './form-context.tsx';
import { JsonField } from './json-field.tsx';

function openField(first: unknown) {
  const set = vi.fn<(path: string, value: unknown) => void>();
  const take = vi.fn<(path: string) => void>();
  const form = (base: unknown) => {
    const none = { problems: new Map(), conflicts: new Set<string>(), grounding: {}, root: {}, disabled: false };
    const view = { ...none, base: { any: base }, set, take, keep: vi.fn() };
    return (
      <FieldFocusContext value={{} as never}>
        <FormContext value={view}>
          <JsonField path="any" label="Any" value={base} />
        </FormContext>
      </FieldFocusContext>
    );
  };
  const { rerender } = render(form(first));
  const type = (text: string) => fireEvent.change(screen.getByLabelText(/^Any/u), { target: { value: text } });
  return { set, take, type, show: (base: unknown) => rerender(form(base)) };
}

it('asks before a text that was begun on an older value replaces what somebody else has written since', async () => {
  const { set, type, show } = openField({ a: 1, b: 1 });
  type('{ "a": 2, "b": 1');
  show({ a: 1, b: 5 });
  type('{ "a": 2, "b": 1 }');
  expect(set).not.toHaveBeenCalled();
  expect(screen.getByRole('alert').textContent).toContain('Someone else changed this while you typed');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Keep mine' }));
  expect(set).toHaveBeenCalledExactlyOnceWith('any', { a: 2, b: 1 });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('takes theirs whole, although a part of the typed text was used before', async () => {
  const { set, take, type, show } = openField({ a: 1, b: 1 });
  type('{ "a": 2, "b": 1 }');
  expect(set).toHaveBeenCalledExactlyOnceWith('any', { a: 2, b: 1 });
  show({ a: 1, b: 5 });
  expect(screen.getByRole('alert').textContent).not.toContain('not used');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Take theirs' }));
  expect(take).toHaveBeenCalledExactlyOnceWith('any');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('does not take a user’s own saved text for somebody else’s', () => {
  const { set, type, show } = openField({ a: 1 });
  type('{ "a": 2 }');
  show({ a: 2 });
  type('{ "a": 23 }');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(set).toHaveBeenLastCalledWith('any', { a: 23 });
});
