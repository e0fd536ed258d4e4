import { isRecord } from '../../../shared/http/json-value.ts';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';

const list = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** What the person answered to the agent's questions, in the card that asked. */
export function GivenAnswers({ card }: { card: ToolCard }) {
  const answers = isRecord(card.result) ? list(card.result['answers']) : [];
  if (answers.length === 0) return null;
  return (
    <dl className="flex flex-col gap-1.5 px-2.5 pb-2 text-sm">
      {answers.map((answer) => {
        const given = [...list(answer['chosen']).map(({ label }) => text(label)), text(answer['other'])];
        return (
          <div key={text(answer['question_id'])}>
            <dt className="text-ink-faint wrap-anywhere">{text(answer['question_text'])}</dt>
            <dd className="wrap-anywhere">{given.filter((each) => each !== '').join(', ') || 'No answer'}</dd>
          </div>
        );
      })}
    </dl>
  );
}
