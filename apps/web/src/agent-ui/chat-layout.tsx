import type { ReactNode } from 'react';
import { readStored, useStoredValue } from '../shared/ui/browser/stored-value.ts';
import { Splitter } from '../shared/ui/splitter.tsx';
import { TabPanel, Tabs } from '../shared/ui/tabs.tsx';

/** How wide the conversation of a page can be in a wide window, in pixels. */
export interface ChatWidths {
  /** The browser stores the width that the user has chosen under this key. */
  key: string;
  minimum: number;
  standard: number;
  maximum: number;
  /** The largest share of the window, in percent. */
  maxShare: number;
}

const widthOf = (stored: string | null, { standard }: ChatWidths) => Number(stored) || standard;
const styleOf = (width: number, { maxShare }: ChatWidths) => ({ width: `min(${width}px, ${maxShare}vw)` });

/** The style of a placeholder for the conversation while its page loads. */
export const placeholderStyle = (widths: ChatWidths) => styleOf(widthOf(readStored(widths.key), widths), widths);

interface ChatLayoutProps<Tab extends string> {
  chat: ReactNode;
  /** What the agent works on. */
  board: ReactNode;
  isWide: boolean;
  widths: ChatWidths;
  /** The tabs of a narrow window, in order. */
  tabs: { value: Tab; label: string }[];
  tabsLabel: string;
  /** The tab of the conversation; the other one has the board. */
  chatTab: Tab;
  tab: Tab;
  onTab: (tab: Tab) => void;
}

/** A conversation beside what its agent works on; in a narrow window each has a tab. */
export function ChatLayout<Tab extends string>(props: ChatLayoutProps<Tab>) {
  const { chat, board, isWide, widths } = props;
  const { tabs, tabsLabel, chatTab, tab, onTab } = props;
  const [stored, store] = useStoredValue(widths.key);
  const width = widthOf(stored, widths);
  return (
    <main className="flex min-h-0 flex-1">
      {isWide ? (
        <>
          <div className="flex min-w-0 shrink-0 bg-surface" style={styleOf(width, widths)}>
            {chat}
          </div>
          <Splitter
            label="Width of the conversation"
            width={width}
            minimum={widths.minimum}
            maximum={widths.maximum}
            onResize={(next) => store(String(next))}
          />
          {board}
        </>
      ) : (
        <Tabs label={tabsLabel} value={tab} onChange={onTab} tabs={tabs}>
          {tabs.map(({ value }) => (
            <TabPanel key={value} value={value} shown={tab === value}>
              {value === chatTab ? chat : board}
            </TabPanel>
          ))}
        </Tabs>
      )}
    </main>
  );
}
