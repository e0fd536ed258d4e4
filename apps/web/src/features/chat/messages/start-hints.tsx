import type { Document } from '@docwright/contract';
import { Sparkles } from 'lucide-react';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { Button } from '../../../shared/ui/button.tsx';

const suggestions = [
  'Create a schema for this document and extract it',
  'What is in this document?',
  'Which schemas and prompts are there?',
];

/** Where the agent has made a proposal on its own, the conversation begins with it. */
const refinements = ['What is in this document?', 'Run the extraction again', 'Which schemas and prompts are there?'];

/** A conversation that has not begun: what the agent is for, and something to begin with. */
export function StartHints({ document, onPick }: { document: Document; onPick: (text: string) => void }) {
  const isProposed = document.auto_create?.status === 'proposed';
  return (
    <EmptyState
      icon={Sparkles}
      title={isProposed ? 'What should change?' : 'What should I do with this document?'}
      actions={
        <div className="flex w-full flex-col gap-1.5">
          {(isProposed ? refinements : suggestions).map((suggestion) => (
            <Button
              key={suggestion}
              className="h-auto min-h-8 justify-start py-1 text-left whitespace-normal!"
              onClick={() => onPick(suggestion)}
            >
              {suggestion}
            </Button>
          ))}
        </div>
      }
    >
      The agent reads “{document.document_name}” at once. Before it changes anything it shows what it would do and waits
      for you.
    </EmptyState>
  );
}
