import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MarksLayer } from '../viewer/pages/page-frame.tsx';
import { ExtractionViewContext } from './extraction-view.tsx';
import { FieldFocusContext, type FieldFocus } from '../../shared/values/field-focus.tsx';
import { ResultList } from './result-list.tsx';
import { ToastProvider } from '../../shared/ui/toasts.tsx';
import { resultTree } from '../../shared/values/result-tree.ts';

const box = { page_num: 1, x0: 0.1, y0: 0.1, x1: 0.2, y1: 0.2 };
const grounding = {
  total: { page_num: 1, quote: '110.00', boxes: [box], match: 'normalized' as const },
  note: { page_num: null, quote: null, boxes: [], match: 'none' as const },
};
const nodes = resultTree({ total: 110, note: 'made up' }, { properties: { total: { type: 'number' } } });

function PanelAndPage({ edit }: { edit: (path: string, value: unknown) => Promise<void> }) {
  const [selection, setSelection] = useState<FieldFocus['selection']>();
  const [hovered, hover] = useState<string>();
  const select = (path: string) =>
    setSelection((last) => ({ path, ordinal: (last?.ordinal ?? 0) + 1, wantsFocus: false }));
  return (
    <Tooltip.Provider>
      <FieldFocusContext value={{ selection, hovered, select, showOnPage: select, follow: select, hover }}>
        <ExtractionViewContext value={{ grounding, problems: new Map([['total', 'must be less']]), edit }}>
          <ResultList nodes={nodes} />
        </ExtractionViewContext>
        <MarksLayer marks={[{ path: 'total', box, match: 'normalized' }]} />
      </FieldFocusContext>
    </Tooltip.Provider>
  );
}

const mark = () => document.querySelector<HTMLElement>('[data-mark="total"]')!;
const row = () => document.querySelector<HTMLElement>('[data-field="total"]')!;

afterEach(cleanup);

describe('a field and its place', () => {
  it('are highlighted together', async () => {
    const user = userEvent.setup();
    render(<PanelAndPage edit={vi.fn()} />);
    expect(mark().dataset['active']).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Total: 110.00' }));
    expect(mark().dataset['active']).toBe('true');
    expect(screen.getByRole('button', { name: 'Total: 110.00', pressed: true })).toBeTruthy();
  });

  it('an edit that fails after the user has left the page is named there', async () => {
    const saved = Promise.withResolvers<void>();
    const page = (shown: boolean) => (
      <ToastProvider>{shown && <PanelAndPage edit={() => saved.promise} />}</ToastProvider>
    );
    const { rerender } = render(page(true));
    screen.getByRole('button', { name: 'Total: 110.00' }).focus();
    await userEvent.keyboard('{F2}');
    await userEvent.keyboard('5{Enter}');
    rerender(page(false));
    saved.reject(new Error('The disk is full.'));
    await screen.findByText('Total was not saved: The disk is full.');
  });

  it.each(['{Enter}', '{Escape}'])('go on with the keyboard after an edit that ends with %s', async (key) => {
    const user = userEvent.setup();
    render(<PanelAndPage edit={vi.fn(async () => undefined)} />);
    const value = screen.getByRole('button', { name: 'Total: 110.00' });
    value.focus();
    await user.keyboard('{F2}');
    await user.keyboard(`5${key}`);
    await vi.waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Total: 110.00'));
  });

  it('highlight the field while the pointer is over its box', () => {
    render(<PanelAndPage edit={vi.fn()} />);
    const before = row().className;
    fireEvent.pointerOver(mark());
    fireEvent.pointerEnter(mark());
    expect(row().className).not.toBe(before);
  });

  it('say which value is not on the page and which is invalid', () => {
    render(<PanelAndPage edit={vi.fn()} />);
    expect(screen.getByText('Not on the page')).toBeTruthy();
    expect(screen.getByText('must be less')).toBeTruthy();
  });
});

describe('editing in place', () => {
  it('saves a number as a number', async () => {
    const edit = vi.fn(() => Promise.resolve());
    const user = userEvent.setup();
    render(<PanelAndPage edit={edit} />);
    screen.getByRole('button', { name: 'Total: 110.00' }).focus();
    await user.keyboard('{F2}');
    await user.clear(screen.getByLabelText('Total'));
    await user.keyboard('99.5{Enter}');
    expect(edit).toHaveBeenCalledWith('total', 99.5);
  });

  it('keeps the typed text when saving fails, and shows the error', async () => {
    const edit = vi.fn(() => Promise.reject(new Error('This extraction changed meanwhile.')));
    const user = userEvent.setup();
    render(<PanelAndPage edit={edit} />);
    await user.dblClick(screen.getByRole('button', { name: 'Total: 110.00' }));
    await user.clear(screen.getByLabelText('Total'));
    await user.keyboard('7{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('changed meanwhile');
    expect(screen.getByLabelText<HTMLInputElement>('Total').value).toBe('7');
  });

  it('show the value of a newer run below a verified one, and T takes it', async () => {
    const take = vi.fn();
    const select = () => {};
    const view = { grounding: {}, problems: new Map(), newer: new Map([['total', '120.00']]), take };
    const user = userEvent.setup();
    render(
      <Tooltip.Provider>
        <FieldFocusContext
          value={{
            selection: undefined,
            hovered: undefined,
            select,
            showOnPage: select,
            follow: select,
            hover: select,
          }}
        >
          <ExtractionViewContext value={view}>
            <ResultList nodes={nodes} />
          </ExtractionViewContext>
        </FieldFocusContext>
      </Tooltip.Provider>,
    );
    expect(screen.getByText('120.00')).toBeTruthy();
    screen.getByRole('button', { name: 'Note: made up' }).focus();
    await user.keyboard('t');
    expect(take).not.toHaveBeenCalled();
    screen.getByRole('button', { name: 'Total: 110.00' }).focus();
    await user.keyboard('t');
    expect(take).toHaveBeenCalledExactlyOnceWith('total');
  });
});
