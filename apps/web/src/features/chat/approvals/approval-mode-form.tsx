import { callLabel } from '../../../agent-ui/call-labels.ts';
import type { ApprovalMode, Approvals } from './use-approval-mode.ts';

const modes: { mode: ApprovalMode; label: string; note: string }[] = [
  { mode: 'ask', label: 'Ask before every change', note: 'Each waits for your decision.' },
  { mode: 'chosen', label: 'Run chosen tools unasked', note: 'The others wait for you.' },
  { mode: 'everything', label: 'Run everything unasked', note: 'Nothing waits. A turn can be undone as a whole.' },
];

/** How much is asked, and which tools are not asked about. */
export function ApprovalModeForm({ approvals, tools }: { approvals: Approvals; tools: string[] }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Approval</legend>
      {modes.map(({ mode, label, note }) => (
        <label key={mode} className="flex cursor-pointer items-start gap-2 rounded-sm px-1 py-1 text-sm hover:bg-hover">
          <input
            type="radio"
            name="approval-mode"
            checked={approvals.mode === mode}
            onChange={() => approvals.setMode(mode)}
            className="mt-0.5 accent-accent"
          />
          <span>
            {label}
            <span className="block text-xs text-ink-faint">{note}</span>
          </span>
        </label>
      ))}
      {approvals.mode === 'chosen' && (
        <div className="grid grid-cols-2 gap-x-3 pl-6 max-md:grid-cols-1">
          {tools.map((tool) => (
            <label
              key={tool}
              className="flex cursor-pointer items-center gap-2 rounded-sm px-1 py-0.5 text-sm hover:bg-hover"
            >
              <input
                type="checkbox"
                checked={approvals.tools.includes(tool)}
                onChange={(event) => approvals.setTool(tool, event.target.checked)}
                className="accent-accent"
              />
              {callLabel(tool)}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
