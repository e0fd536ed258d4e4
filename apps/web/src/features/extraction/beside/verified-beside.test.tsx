import type { Extraction } from '@docwright/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { BesideNotice, besideOf } from './verified-beside.tsx';

const of = (prompt_revid: string, created_at: string, result: unknown, more: object = {}) =>
  ({ prompt_id: 'p', prompt_revid, created_at, result, grounding: {}, is_verified: false, ...more }) as Extraction;
const verified = of('1', '2026-01-01', { total: 110, note: 'A', rows: [{ amount: 1 }] }, { is_verified: true });
const newer = of('2', '2026-01-02', { total: 120, note: 'A', rows: [{ amount: 1 }, { amount: 2 }] });

describe('a newer run beside a verified result', () => {
  it('is found from both sides, with the values that differ', () => {
    const changes = [
      { path: 'total', label: 'Total', before: '110.00', after: '120.00', isTakeable: true },
      { path: 'rows.1.amount', label: 'Amount, row 2', before: '', after: '2.00', isTakeable: false },
    ];
    expect(besideOf([verified, newer], verified)).toEqual({ verified, newer, changes });
    expect(besideOf([verified, newer], newer)).toEqual({ verified, newer, changes });
  });

  it('is nothing without a difference, for an older run, and for other prompts', () => {
    const same = of('2', '2026-01-02', verified.result);
    expect(besideOf([verified, same], verified)).toBeUndefined();
    const older = of('0', '2025-01-01', { total: 1 });
    expect(besideOf([verified, older], verified)).toBeUndefined();
    expect(besideOf([verified, older], older)).toBeUndefined();
    expect(besideOf([verified, { ...newer, prompt_id: 'q' }], verified)).toBeUndefined();
    expect(besideOf([newer], newer)).toBeUndefined();
  });

  it('offers each value that can be taken alone', async () => {
    const [onTake, onShow] = [vi.fn(), vi.fn()];
    const beside = besideOf([verified, newer], verified)!;
    const user = userEvent.setup();
    const { rerender } = render(<BesideNotice beside={beside} shown={verified} onShow={onShow} onTake={onTake} />);
    await user.click(screen.getByRole('button', { name: 'Show 2 values' }));
    expect(screen.getByText('120.00')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Take it' }));
    expect(onTake).toHaveBeenCalledExactlyOnceWith('total');
    rerender(<BesideNotice beside={beside} shown={newer} onShow={onShow} onTake={onTake} />);
    await user.click(screen.getByRole('button', { name: 'Show what was verified' }));
    expect(onShow).toHaveBeenLastCalledWith('1');
  });
});
