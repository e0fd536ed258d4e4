import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { EmptyState } from '../shared/ui/empty-state.tsx';

interface StartHintsProps {
  icon: LucideIcon;
  title: string;
  /** Messages that a click sends. */
  suggestions: readonly string[];
  onPick: (text: string) => void;
  /** What the agent does. */
  children: ReactNode;
}

/** Shown in an empty conversation. */
export function StartHints({ icon, title, suggestions, onPick, children }: StartHintsProps) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      actions={
        <div className="flex w-full flex-col gap-1.5">
          {suggestions.map((text) => (
            <Button
              key={text}
              className="h-auto min-h-8 min-w-0 justify-start py-1 text-left whitespace-normal!"
              onClick={() => onPick(text)}
            >
              {text}
            </Button>
          ))}
        </div>
      }
    >
      {children}
    </EmptyState>
  );
}
