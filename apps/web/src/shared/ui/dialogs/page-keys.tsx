import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { useWindowKey } from '../browser/use-window-key.ts';

/** A key and its action. */
export type KeyHint = readonly [key: string, action: string];

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable]';
const everywhere: readonly KeyHint[] = [
  ['Ctrl K', 'Find anything'],
  ['?', 'Show these keys'],
];

/** `?` shows the page's keyboard shortcuts, except while typing. */
export function PageKeys({ keys }: { keys: readonly KeyHint[] }) {
  const [shown, setShown] = useState(false);
  useWindowKey((event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (target?.closest(typing) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    setShown(true);
  });
  return (
    <Dialog open={shown} onOpenChange={setShown} title="Keys">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5 text-sm">
        {[...keys, ...everywhere].map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line-strong px-1.5 py-0.5 font-sans text-xs">{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
