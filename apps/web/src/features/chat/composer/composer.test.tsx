import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import type { ComponentProps } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChatComposer } from './composer.tsx';
import { noMentions } from './mention-choices.ts';

afterEach(cleanup);

beforeEach(() => window.localStorage.clear());

function composer(given: Partial<ComponentProps<typeof ChatComposer>>) {
  return (
    <Tooltip.Provider>
      <ChatComposer
        draftKey="draft"
        offer={noMentions}
        placeholder=""
        running={false}
        unsent={undefined}
        refused={undefined}
        blocked={undefined}
        onSend={() => {}}
        onStop={() => {}}
        {...given}
      >
        {null}
      </ChatComposer>
    </Tooltip.Provider>
  );
}

const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message to the agent');

it('takes a message back that was not sent, before what was typed since', async () => {
  const onSend = vi.fn<(message: { text: string }) => void>();
  const { rerender } = render(composer({ onSend }));
  await userEvent.type(field(), 'Add the total{Enter}');
  expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ text: 'Add the total' }));
  await userEvent.type(field(), 'And the date');
  rerender(composer({ onSend, unsent: 'Add the total' }));
  expect(field().value).toBe('Add the total\n\nAnd the date');
});

it('has a message again that did not reach the server, once the page is loaded again', async () => {
  const { rerender, unmount } = render(composer({}));
  await userEvent.type(field(), 'Add the total{Enter}');
  rerender(composer({ refused: 'Add the total' }));
  expect(field().value).toBe('');
  unmount();
  render(composer({}));
  expect(field().value).toBe('Add the total');
});

it('has no message again that was sent after all', async () => {
  const { rerender, unmount } = render(composer({ refused: 'Add the total' }));
  rerender(composer({}));
  unmount();
  render(composer({}));
  expect(field().value).toBe('');
});

it('keeps what was typed before the new conversation began, and leaves none of it to the next new one', async () => {
  const { rerender, unmount } = render(composer({ draftKey: 'new' }));
  await userEvent.type(field(), 'Add the total{Enter}And the date');
  rerender(composer({ draftKey: 'thread', running: true }));
  expect(field().value).toBe('And the date');
  unmount();
  const next = render(composer({ draftKey: 'new' }));
  expect(field().value).toBe('');
  next.unmount();
  render(composer({ draftKey: 'thread' }));
  expect(field().value).toBe('And the date');
});
