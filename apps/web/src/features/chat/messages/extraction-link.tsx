import { Link } from '@tanstack/react-router';
import { isRecord } from '../../../shared/http/json-value.ts';
import { linkButtonClass } from '../../../shared/ui/button.tsx';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';

/** From the card of an extraction that ran to its values. */
export function ExtractionLink({ card }: { card: ToolCard }) {
  const revision = isRecord(card.result) ? card.result['prompt_revid'] : undefined;
  const prompt = typeof revision === 'string' ? { prompt: revision } : {};
  return (
    <div className="px-2.5 pb-2">
      <Link
        from="/documents/$documentId"
        search={(present) => ({ ...present, tab: 'extraction' as const, ...prompt })}
        className={linkButtonClass('secondary', 'small')}
      >
        See the values
      </Link>
    </div>
  );
}
