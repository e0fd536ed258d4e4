import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tooltip } from 'radix-ui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CardDecision } from '../approvals/card-decision.tsx';
import { waitingCards } from '../../../agent-ui/chat-state.ts';
import { recordedTurn } from '../testing/recorded-turn.ts';
import { threadToState } from '../turn/thread-to-state.ts';
import { ToolCardView } from './tool-card.tsx';
import { useBatchDecision } from '../approvals/use-batch-decision.ts';
import { useDecisionKeys } from '../../../agent-ui/use-decision-keys.ts';

const [card] = waitingCards(threadToState(recordedTurn.segments[0]!.thread));
const second = { ...card!, id: 'second' };

function Batch({ cards, send }: { cards: (typeof second)[]; send: (decisions: unknown) => void }) {
  const batch = useBatchDecision(cards, send);
  useDecisionKeys({
    enabled: true,
    waiting: cards
      .filter(({ id }) => !batch.choices.decisions.some(({ call_id }) => call_id === id))
      .map(({ id }) => id),
    onApprove: (callId) => batch.choose([{ call_id: callId, approved: true }]),
    onReject: (callId) => batch.setDraft({ callId, kind: 'reason' }),
    onEdit: (callId) => batch.setDraft({ callId, kind: 'arguments' }),
  });
  return (
    <Tooltip.Provider>
      <textarea aria-label="Message" />
      {cards.map((each) => (
        <ToolCardView key={each.id} card={each}>
          <CardDecision
            place={{ orgId: 'org', documentId: 'document' }}
            card={each}
            isAdmin={false}
            decision={batch.choices.decisions.find(({ call_id }) => call_id === each.id)}
            draft={batch.draft?.callId === each.id ? batch.draft.kind : undefined}
            onDraft={(kind) => batch.setDraft(kind && { callId: each.id, kind })}
            onDecide={(decision) => batch.choose([decision])}
          />
        </ToolCardView>
      ))}
    </Tooltip.Provider>
  );
}

afterEach(cleanup);

describe('a waiting card', () => {
  it('says in words what it would do, with the arguments folded away', () => {
    render(<Batch cards={[card!]} send={() => {}} />);
    expect(screen.getByText('Create the tag “Urgent”')).toBeTruthy();
    expect(screen.getByText('Waiting for you')).toBeTruthy();
    expect(screen.getByText('Arguments').closest('details')?.open).toBe(false);
  });

  it('says on the button that what was measured no longer counts', () => {
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
    expect(screen.getByRole('button', { name: /^Approve without it/ })).toBeTruthy();
  });

  it('is approved by Y, but never while typing', async () => {
    const send = vi.fn();
    const person = userEvent.setup();
    render(<Batch cards={[card!]} send={send} />);
    await person.type(screen.getByLabelText('Message'), 'yes, why not');
    expect(send).not.toHaveBeenCalled();
    (document.activeElement as HTMLElement).blur();
    await person.keyboard('y');
    expect(send).toHaveBeenCalledWith([{ call_id: card!.id, approved: true }], []);
  });

  it('is rejected by N with a reason, and a batch goes out once all are decided', async () => {
    const send = vi.fn();
    const person = userEvent.setup();
    render(<Batch cards={[card!, second]} send={send} />);
    await person.keyboard('n');
    await person.keyboard('Wrong name{Enter}');
    expect(send).not.toHaveBeenCalled();
    (document.activeElement as HTMLElement).blur();
    await person.keyboard('y');
    expect(send).toHaveBeenCalledWith(
      [
        { call_id: card!.id, approved: false, reason: 'Wrong name' },
        { call_id: 'second', approved: true },
      ],
      [],
    );
  });
});
