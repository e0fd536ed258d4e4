import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { TableEditor } from './table-editor.tsx';

it('takes no input while its rows are being saved, keeps what was typed, and says that it saves', async () => {
  const onSave = vi.fn<(list: unknown, changedValues: number) => void>();
  const onClose = vi.fn<() => void>();
  const schema = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } };
  const editor = (isSaving: boolean, text?: string) => (
    <TableEditor
      keptAs="docwright.value.review.a"
      path="rows"
      list={[{ a: '1' }, { a: '2' }]}
      schema={schema}
      from="rows.0.a"
      picked={text === undefined ? undefined : { text, pageText: text, ordinal: 1 }}
      isSaving={isSaving}
      onFocusValue={vi.fn()}
      onSave={onSave}
      onClose={onClose}
      onTyped={vi.fn()}
    />
  );
  const { rerender } = render(editor(false));
  const user = userEvent.setup();
  const input = () => screen.getByRole<HTMLInputElement>('textbox');
  await user.keyboard('3{Control>}s{/Control}');
  expect(onSave).toHaveBeenCalledExactlyOnceWith([{ a: '3' }, { a: '2' }], 1);
  expect(screen.queryByRole('button', { name: /^Saving…/u })).toBeNull();

  rerender(editor(true));
  expect(screen.getByRole('button', { name: /^Saving…/u })).toBeTruthy();
  await user.keyboard('4{ArrowDown}{Enter}{Escape}{Control>}s{Enter}{Delete}{/Control}');
  await user.click(screen.getByRole('button', { name: 'A: 2' }));
  for (const name of [/^Insert row/u, /^Delete row/u, /^Cancel/u, /^Saving/u]) {
    await user.click(screen.getByRole('button', { name }));
  }
  rerender(editor(true, 'taken'));
  expect(input().value).toBe('3');
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(onSave).toHaveBeenCalledOnce();
  expect(onClose).not.toHaveBeenCalled();

  // The rows were not saved: the editor goes on, also with what was taken from the page meanwhile.
  rerender(editor(false, 'taken'));
  expect(input().value).toBe('taken');
  await user.type(input(), '5');
  expect(input().value).toBe('taken5');
});

it('gives changed rows back after the page was loaded again, and none once it was closed', async () => {
  const stub = vi.fn();
  const props = { path: 'rows', from: 'rows.0.a', picked: undefined, isSaving: false };
  const calls = { onFocusValue: stub, onSave: stub, onClose: stub, onTyped: stub };
  const editor = (
    <TableEditor keptAs="docwright.value.review.b" list={[{ a: '1' }]} schema={undefined} {...props} {...calls} />
  );
  const first = render(editor);
  await userEvent.setup().keyboard('3{Enter}');
  const kept = localStorage.getItem('docwright.value.review.b')!;
  first.unmount();
  expect(localStorage.getItem('docwright.value.review.b')).toBeNull();
  // A reload does not unmount it.
  localStorage.setItem('docwright.value.review.b', kept);
  render(editor);
  expect(screen.getByRole('button', { name: 'A: 3' })).toBeTruthy();
});
