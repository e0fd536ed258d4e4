import { useState, type ReactNode } from 'react';
import { indentJson } from '../../shared/http/json-value.ts';
import { Button } from '../../shared/ui/button.tsx';
import type { ToolCard } from '../chat-state.ts';
import { questionsOf } from '../questions.ts';
import { forgetUnsent, unsentOf, type UnsentDraft } from '../drafts/unsent-drafts.ts';

/** What the user had entered about a call that was decided in another window meanwhile. */
export function UnsentNote({ card }: { card: ToolCard }) {
  const [draft, setDraft] = useState(() => unsentOf(card.id));
  if (draft === undefined) return null;
  const close = () => {
    forgetUnsent(card.id);
    setDraft(undefined);
  };
  return (
    <section aria-label="Not sent" className="flex flex-col gap-2 border-t border-line px-2.5 py-2 text-sm">
      <p>
        This was decided elsewhere. What you entered here was <strong>not sent</strong>:
      </p>
      {partsOf(card, draft)}
      <div>
        <Button size="small" onClick={close}>
          Discard
        </Button>
      </div>
    </section>
  );
}

function partsOf(card: ToolCard, draft: UnsentDraft): ReactNode {
  const { arguments: edited, reason, answers, steps = [] } = draft;
  return (
    <>
      {edited !== undefined && <Text text={indentJson(edited)} />}
      {reason !== undefined && <Text text={reason} />}
      {answers !== undefined && <Text text={textOfAnswers(card, answers)} />}
      {steps.length > 0 && <Text text={JSON.stringify(steps, null, 2)} />}
    </>
  );
}

function Text({ text }: { text: string }) {
  return (
    <pre className="max-h-60 overflow-auto rounded-sm bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
      {text}
    </pre>
  );
}

function textOfAnswers(card: ToolCard, { picked, others }: NonNullable<UnsentDraft['answers']>): string {
  return questionsOf(card)
    .map(({ id, question_text, options }) => {
      const chosen = options.filter((option) => picked[id]?.includes(option.id)).map(({ label }) => label);
      const given = [...chosen, others[id] ?? ''].filter((text) => text !== '');
      return given.length === 0 ? '' : `${question_text} ${given.join(', ')}`;
    })
    .filter((line) => line !== '')
    .join('\n');
}
