import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { Pager } from './pager.tsx';

afterEach(cleanup);

it('jumps to a typed page number, and to the last page for a larger number', async () => {
  const onPage = vi.fn();
  render(
    <Tooltip.Provider>
      <Pager page={2} pageSize={20} total={1020} onPage={onPage} />
    </Tooltip.Provider>,
  );
  const field = screen.getByLabelText('Page, 1 to 51');
  await userEvent.type(field, '{selectall}40{Enter}');
  await userEvent.type(field, '{selectall}400{Enter}');
  await userEvent.type(field, '{selectall}x{Enter}');
  expect(onPage.mock.calls).toEqual([[40], [51]]);
});

it('says that a list has more than its number', () => {
  render(
    <Tooltip.Provider>
      <Pager page={1} pageSize={20} total={10_000} isMinimum onPage={vi.fn()} />
    </Tooltip.Provider>,
  );
  expect(screen.getByText(/of more than 10,000/)).toBeDefined();
});
