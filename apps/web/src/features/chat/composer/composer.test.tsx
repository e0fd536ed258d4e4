import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, expect, it, vi } from 'vitest';
import { ChatComposer } from './composer.tsx';
import { noMentions } from './mention-choices.ts';

afterEach(cleanup);

it('takes a message back that was not sent, before what was typed since', async () => {
  const onSend = vi.fn<(message: { text: string }) => void>();
  const composer = (unsent: string | undefined) => (
    <Tooltip.Provider>
      <ChatComposer
        draftKey="draft"
        offer={noMentions}
        placeholder=""
        running={false}
        unsent={unsent}
        blocked={undefined}
        onSend={onSend}
        onStop={() => {}}
      >
        {null}
      </ChatComposer>
    </Tooltip.Provider>
  );
  const { rerender } = render(composer(undefined));
  const field = screen.getByLabelText<HTMLTextAreaElement>('Message to the agent');
  await userEvent.type(field, 'Add the total{Enter}');
  expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ text: 'Add the total' }));
  await userEvent.type(field, 'And the date');
  rerender(composer('Add the total'));
  expect(field.value).toBe('Add the total\n\nAnd the date');
});
