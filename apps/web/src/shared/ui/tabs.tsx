import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  tabs: { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
  /** Called for a click or Enter, not for the arrow keys, which keep the focus on the tabs. */
  onPick?: (value: Value) => void;
  children: ReactNode;
}

export function Tabs<Value extends string>({ label, value, tabs, onChange, onPick, children }: TabsProps<Value>) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <Primitive.List
        aria-label={label}
        className="flex h-10 shrink-0 gap-1 border-b border-line bg-surface px-3 max-[22.5rem]:[&_svg]:hidden"
      >
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            onClick={() => onPick?.(tab.value)}
            className="-mb-px inline-flex items-center gap-1.5 border-b-2 border-transparent px-2 text-sm font-medium text-ink-soft hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

/** Stays mounted while another tab is shown, so that its state is kept. */
export function TabPanel({ value, shown, children }: { value: string; shown: boolean; children: ReactNode }) {
  return (
    <Primitive.Content
      value={value}
      forceMount
      hidden={!shown}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-1 flex-col outline-none [&[hidden]]:hidden"
    >
      {children}
    </Primitive.Content>
  );
}
