import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CardDecision } from '../approvals/card-decision.tsx';
import { keepUnsent, sendDrafts } from '../../../agent-ui/drafts/unsent-drafts.ts';
import { pendingCards } from '../../../agent-ui/chat-state.ts';
import { recordedTurn } from '../testing/recorded-turn.ts';
import { threadToState } from '../turn/thread-to-state.ts';
import { ToolCardView } from './tool-card.tsx';
import { useBatchDecision } from '../approvals/decision-batch.ts';
import { useDecisionKeys } from '../../../agent-ui/use-decision-keys.ts';

const [card] = pendingCards(threadToState(recordedTurn.segments[0]!.thread));
const second = { ...card!, id: 'second' };

function Batch({ cards, send }: { cards: (typeof second)[]; send: (decisions: unknown) => void }) {
  const batch = useBatchDecision(cards, send);
  useDecisionKeys({
    enabled: true,
    pending: cards
      .filter(({ id }) => !batch.choices.decisions.some(({ call_id }) => call_id === id))
      .map(({ id }) => id),
    onApprove: (callId) => batch.choose([{ call_id: callId, approved: true }]),
    onReject: (callId) => batch.setDraft({ callId, kind: 'reason' }),
    onEdit: (callId) => batch.setDraft({ callId, kind: 'arguments' }),
  });
  return (
    <Tooltip.Provider>
      <textarea aria-label="Message" />
      {cards.map((item) => (
        <ToolCardView key={item.id} card={item}>
          <CardDecision
            place={{ orgId: 'org', documentId: 'document' }}
            card={item}
            isAdmin={false}
            decision={batch.choices.decisions.find(({ call_id }) => call_id === item.id)}
            draft={batch.draft?.callId === item.id ? batch.draft.kind : undefined}
            onDraft={(kind) => batch.setDraft(kind && { callId: item.id, kind })}
            onDecide={(decision) => batch.choose([decision])}
          />
        </ToolCardView>
      ))}
    </Tooltip.Provider>
  );
}

afterEach(cleanup);

describe('a pending card', () => {
  it('summarizes the call, with the raw arguments collapsed', () => {
    render(<Batch cards={[card!]} send={() => {}} />);
    expect(screen.getByText('Create the tag “Urgent”')).toBeTruthy();
    expect(screen.getByText('Waiting for you')).toBeTruthy();
    expect(screen.getByText('Arguments').closest('details')?.open).toBe(false);
  });

  it('names on its button that the evaluation is out of date', () => {
    const decide = { decision: undefined, draft: undefined, onDraft: () => {}, onDecide: () => {} };
    render(
      <Tooltip.Provider>
        <CardDecision
          place={{ orgId: 'org', documentId: 'document' }}
          card={card!}
          isAdmin={false}
          isStale
          {...decide}
        />
      </Tooltip.Provider>,
    );
    expect(screen.getByRole('button', { name: /^Approve anyway/ })).toBeTruthy();
  });

  it('of a schema that prompts use offers to move them in the same decision', async () => {
    const onDecide = vi.fn();
    const prompts = [{ prompt_id: 'p', name: 'Bills', schema_version: 1, documents: 2 }];
    const difference = { kind: 'difference' as const, title: 'Schema', before: '', after: 'due' };
    const changing = (moves_prompts: boolean): typeof second => ({
      ...card!,
      arguments: '{"schema_id":"s"}',
      proposal: {
        ...card!.proposal!,
        preview: { ...difference, schema_use: { prompts, moves_prompts } },
      },
    });
    const decide = { decision: undefined, draft: undefined, onDraft: () => {}, onDecide };
    const place = { orgId: 'org', documentId: 'document' };
    const { unmount } = render(
      <Tooltip.Provider>
        <CardDecision place={place} card={changing(false)} isAdmin={false} {...decide} />
      </Tooltip.Provider>,
    );
    await userEvent.setup().click(screen.getByRole('button', { name: 'Approve and move 1 prompt' }));
    const sent = '{"schema_id":"s","relink_prompts":true}';
    expect(onDecide).toHaveBeenCalledWith({ call_id: card!.id, approved: true, arguments: sent });
    unmount();
    render(
      <Tooltip.Provider>
        <CardDecision place={place} card={changing(true)} isAdmin={false} {...decide} />
      </Tooltip.Provider>,
    );
    expect(screen.queryByRole('button', { name: /and move/ })).toBeNull();
  });

  it('that is decided in another window keeps the reason that was being written, and says that it was not sent', async () => {
    const user = userEvent.setup();
    const { rerender } = render(<Batch cards={[card!]} send={() => {}} />);
    await user.keyboard('n');
    await user.keyboard('Wrong name');
    const decided = { ...card!, state: 'done' as const };
    rerender(<Batch cards={[decided]} send={() => {}} />);
    expect((await screen.findByRole('region', { name: 'Not sent' })).textContent).toMatch(
      /decided elsewhere.*not sent.*Wrong name/u,
    );
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('region', { name: 'Not sent' })).toBeNull();
    window.localStorage.clear();
  });

  it('keeps edited arguments and answers alike, and nothing that this window has sent', async () => {
    const question = { id: 'q', question_text: 'Which one?', options: [{ id: 'o', label: 'The first' }] };
    const asked = { ...card!, id: 'asked', state: 'done' as const, name: 'ask_questions' };
    const questions = { ...asked, arguments: JSON.stringify({ questions: [question] }) };
    keepUnsent('edited', { arguments: '{"name":"Mine"}' });
    keepUnsent('asked', { answers: { picked: { q: ['o'] }, others: { q: 'or both' } } });
    const sent = sendDrafts(['edited', 'asked']);
    const cards = (
      <Tooltip.Provider>
        <ToolCardView card={{ ...card!, id: 'edited', state: 'running' }} />
        <ToolCardView card={questions} />
      </Tooltip.Provider>
    );
    const { unmount } = render(cards);
    expect(screen.queryAllByRole('region', { name: 'Not sent' })).toEqual([]);
    unmount();
    // The server has refused the decision, because another window was faster.
    sent.onRefused();
    render(cards);
    const notes = (await screen.findAllByRole('region', { name: 'Not sent' })).map(({ textContent }) => textContent);
    expect(notes[0]).toContain('"name": "Mine"');
    expect(notes[1]).toContain('Which one? The first, or both');
    cleanup();
    sendDrafts(['edited', 'asked']).onAccepted();
    render(cards);
    expect(screen.queryAllByRole('region', { name: 'Not sent' })).toEqual([]);
  });

  it('is approved by Y, except while typing', async () => {
    const send = vi.fn();
    const user = userEvent.setup();
    render(<Batch cards={[card!]} send={send} />);
    await user.type(screen.getByLabelText('Message'), 'yes, why not');
    expect(send).not.toHaveBeenCalled();
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('y');
    expect(send).toHaveBeenCalledWith([{ call_id: card!.id, approved: true }], []);
  });

  it('is rejected by N with a reason, and its batch is sent once all are decided', async () => {
    const send = vi.fn();
    const user = userEvent.setup();
    render(<Batch cards={[card!, second]} send={send} />);
    await user.keyboard('n');
    await user.keyboard('Wrong name{Enter}');
    expect(send).not.toHaveBeenCalled();
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('y');
    expect(send).toHaveBeenCalledWith(
      [
        { call_id: card!.id, approved: false, reason: 'Wrong name' },
        { call_id: 'second', approved: true },
      ],
      [],
    );
  });
});
