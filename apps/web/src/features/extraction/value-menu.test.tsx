import type { Extraction } from '@docwright/contract';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it } from 'vitest';
import { ToastProvider } from '../../shared/ui/toasts.tsx';
import { ValueMenu } from './value-menu.tsx';

afterEach(cleanup);

it('copies numbers with every digit', async () => {
  const user = userEvent.setup();
  const extraction = {
    result: { account: 12_345_678_901_234_567_000 },
    grounding: { account: { page_num: null, boxes: [], raw: '12345678901234567890' } },
  } as unknown as Extraction;
  render(
    <Tooltip.Provider>
      <ToastProvider>
        <ValueMenu extraction={extraction} documentName="a.pdf" />
      </ToastProvider>
    </Tooltip.Provider>,
  );
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as JSON' }));
  await screen.findAllByText('The values are copied as JSON.');
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ account: '12345678901234567890' });
});
