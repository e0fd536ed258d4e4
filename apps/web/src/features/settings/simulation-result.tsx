import type { SimulationAnswer } from '@docwright/contract';
import { formatMoment } from '../../shared/formats/format-document.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { ScrollBox } from '../../shared/ui/scroll-box.tsx';
import { effectWords } from './rule-labels.ts';

/** What a rule would have changed. */
export function SimulationResult({ answer }: { answer: SimulationAnswer }) {
  const { calls, examined, undecidable, truncated } = answer;
  return (
    <div className="flex flex-col gap-2">
      <Notice>
        {examined === 0
          ? 'There are no past calls to hold it against yet.'
          : `Of ${examined} past calls it would have decided ${calls.length === 0 ? 'none' : calls.length} otherwise.`}
        {undecidable > 0 && ` For ${undecidable} nobody can tell: their arguments are kept in part.`}
        {truncated && ' Older calls were left out.'}
      </Notice>
      {calls.length > 0 && (
        <ScrollBox label="Calls decided otherwise">
          <ul className="divide-y divide-line text-sm">
            {calls.map((call) => (
              <li
                key={`${call.turn_id} ${call.call_id}`}
                className="flex flex-wrap justify-between gap-x-3 px-3 py-1.5"
              >
                <span className="font-mono text-xs leading-4.5 wrap-anywhere">{call.tool}</span>
                <span>
                  {effectWords[call.before]} → <strong className="font-medium">{effectWords[call.after]}</strong>
                </span>
                <time dateTime={call.at} className="text-ink-soft">
                  {formatMoment(call.at)}
                </time>
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
    </div>
  );
}
