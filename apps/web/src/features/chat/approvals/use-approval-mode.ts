import { useMemo } from 'react';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import type { ChatSettings } from '../turn/use-chat.ts';

/** Which writes run automatically: none, those of chosen tools, or all. */
export type ApprovalMode = 'ask' | 'chosen' | 'everything';

export interface Approvals {
  mode: ApprovalMode;
  /** The tools that run automatically in the mode `chosen`. */
  tools: string[];
  setMode: (mode: ApprovalMode) => void;
  setTool: (tool: string, isAutomatic: boolean) => void;
  settings: Omit<ChatSettings, 'model'>;
}

/** The approval mode, stored per document in this browser; the default is `ask`. */
export function useApprovalMode(documentId: string): Approvals {
  const [storedMode, storeMode] = useStoredValue(`docwright.approval.${documentId}`);
  const [storedTools, storeTools] = useStoredValue(`docwright.approval-tools.${documentId}`);
  const mode: ApprovalMode = storedMode === 'chosen' || storedMode === 'everything' ? storedMode : 'ask';
  return useMemo(() => {
    const tools = (storedTools ?? '').split(',').filter((tool) => tool !== '');
    return {
      mode,
      tools,
      setMode: (next) => storeMode(next === 'ask' ? null : next),
      setTool: (tool, isAutomatic) =>
        storeTools([...tools.filter((other) => other !== tool), ...(isAutomatic ? [tool] : [])].join(',')),
      settings: settingsOf(mode, tools),
    };
  }, [mode, storedTools, storeMode, storeTools]);
}

function settingsOf(mode: ApprovalMode, tools: string[]): Approvals['settings'] {
  if (mode === 'everything') return { auto_approve: true };
  return mode === 'chosen' && tools.length > 0 ? { auto_approved_tools: tools } : {};
}
