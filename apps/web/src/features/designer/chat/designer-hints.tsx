import { Sparkles } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';

const beginnings = [
  'I need to extract invoice data',
  'Ask me what I need',
  'Ask me for an example image and propose columns from it',
];
const changes = ['Show me the columns', 'Which columns are missing?', 'Take many rows from each document'];

/** A conversation that has not begun: what the agent is for, and something to begin with. */
export function DesignerHints({ hasColumns, onPick }: { hasColumns: boolean; onPick: (text: string) => void }) {
  return (
    <EmptyState
      icon={Sparkles}
      title={hasColumns ? 'What shall be different?' : 'What shall be read?'}
      actions={
        <div className="flex w-full flex-col gap-1.5">
          {(hasColumns ? changes : beginnings).map((text) => (
            <Button
              key={text}
              className="h-auto min-h-8 justify-start py-1 text-left whitespace-normal!"
              onClick={() => onPick(text)}
            >
              {text}
            </Button>
          ))}
        </div>
      }
    >
      The agent proposes columns. Each shows in the table and is yours to approve or decline.
    </EmptyState>
  );
}
