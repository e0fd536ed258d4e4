import type { ReactNode } from 'react';
import { Splitter } from '../shared/ui/splitter.tsx';
import { TabPanel, Tabs } from '../shared/ui/tabs.tsx';

interface ChatLayoutProps<Tab extends string> {
  chat: ReactNode;
  /** What the agent works on. */
  board: ReactNode;
  isWide: boolean;
  /** The width of the conversation in a wide window, in pixels. */
  width: number;
  minWidth: number;
  maxWidth: number;
  /** The largest share of the window that the conversation takes, in percent. */
  maxShare: number;
  onWidth: (width: number) => void;
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
  const { chat, board, isWide, width, minWidth, maxWidth, maxShare, onWidth } = props;
  const { tabs, tabsLabel, chatTab, tab, onTab } = props;
  return (
    <main className="flex min-h-0 flex-1">
      {isWide ? (
        <>
          <div className="flex min-w-0 shrink-0 bg-surface" style={{ width: `min(${width}px, ${maxShare}vw)` }}>
            {chat}
          </div>
          <Splitter
            label="Width of the conversation"
            width={width}
            minimum={minWidth}
            maximum={maxWidth}
            onResize={onWidth}
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
