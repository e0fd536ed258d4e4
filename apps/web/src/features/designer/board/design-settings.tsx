import { ChevronRight } from 'lucide-react';
import { useState, type Dispatch, type ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import { CheckField } from '../../../shared/ui/fields/check-field.tsx';
import { TextAreaField } from '../../../shared/ui/fields/text-area-field.tsx';
import type { DesignerAction } from '../state/designer-reducer.ts';
import type { Design, DesignerState, ColumnCall } from '../state/designer-state.ts';
import { FailedCallNotice } from './failed-call-notice.tsx';
import { ProposalActions } from './proposal-actions.tsx';
import { columnOf, proposalOf, type SchemaProposal } from '../state/proposals.ts';
import type { FeatureFlags } from '@docwright/contract';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';

interface DesignSettingsProps {
  state: DesignerState;
  disabled: boolean;
  dispatch: Dispatch<DesignerAction>;
}

/** Settings of the design, with proposed changes. */
export function DesignSettings({ state, disabled, dispatch }: DesignSettingsProps) {
  const { design } = state;
  const [opened, setOpened] = useState<boolean>();
  const proposed = state.waiting.flatMap((call) => {
    const proposal = proposalOf(call);
    return isSetting(proposal) ? [{ call, proposal }] : [];
  });
  const failed = state.failed.filter((call) => columnOf(call) === undefined && isSetting(proposalOf(call)));
  const open = opened ?? false;
  const flags = Object.entries(design.featureFlags);
  return (
    <section aria-label="Settings" className="rounded-lg border border-line bg-surface">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpened(!open)}
        className="flex min-h-9 w-full items-center gap-2 rounded-lg px-3 py-1.5 text-left text-sm"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 shrink-0 text-ink-faint transition-transform', open && 'rotate-90')}
        />
        <span className="font-medium">Settings</span>
        <span className="min-w-0 truncate text-ink-soft">{summaryOf(design)}</span>
      </button>
      {proposed.map(({ call, proposal }) => (
        <ProposedSetting
          key={call.id}
          call={call}
          label={state.labels[call.id] ?? 'Proposed setting'}
          disabled={disabled}
          dispatch={dispatch}
        >
          <SettingChange design={design} proposal={proposal} />
        </ProposedSetting>
      ))}
      {failed.map((call) => (
        <FailedCallNotice key={call.id} call={call} label={state.labels[call.id]} dispatch={dispatch} />
      ))}
      {open && (
        <div className="flex flex-col gap-4 border-t border-line p-3">
          <CheckField
            label="Many rows from a document"
            checked={design.multiRow}
            disabled={disabled}
            onChange={(multiRow) => dispatch({ type: 'designChanged', patch: { multiRow } })}
          >
            Each row of a list or table becomes a record with these columns. Otherwise a document is one record.
          </CheckField>
          <TextAreaField
            label="What these documents are"
            rows={3}
            maxLength={4000}
            disabled={disabled}
            value={design.description}
            help="The agent uses it while designing. It is not part of the schema."
            onChange={(event) => dispatch({ type: 'designChanged', patch: { description: event.target.value } })}
          />
          {flags.length > 0 && (
            <fieldset className="flex flex-col gap-2">
              <legend className="mb-1 text-sm font-medium">Feature flags</legend>
              {flags.map(([name, value]) => (
                <FlagField
                  key={name}
                  name={name}
                  value={value}
                  disabled={disabled}
                  onChange={(next) =>
                    dispatch({
                      type: 'designChanged',
                      patch: { featureFlags: { ...design.featureFlags, [name]: next } },
                    })
                  }
                />
              ))}
            </fieldset>
          )}
        </div>
      )}
    </section>
  );
}

type SettingProposal = Extract<SchemaProposal, { kind: 'description' | 'multiRow' | 'flags' | 'unreadable' }>;
const isSetting = (proposal: SchemaProposal): proposal is SettingProposal =>
  ['description', 'multiRow', 'flags', 'unreadable'].includes(proposal.kind);

const modeLabel = (multiRow: boolean) => (multiRow ? 'Many rows from a document' : 'One record from a document');

function summaryOf({ multiRow, description, featureFlags }: Design): string {
  const flags = Object.keys(featureFlags).length;
  const parts = [modeLabel(multiRow), description, flags > 0 && `${flags} feature ${flags === 1 ? 'flag' : 'flags'}`];
  return parts.filter(Boolean).join(' · ');
}

interface ProposedSettingProps {
  call: ColumnCall;
  label: string;
  disabled: boolean;
  dispatch: Dispatch<DesignerAction>;
  children: ReactNode;
}

function ProposedSetting({ call, label, disabled, dispatch, children }: ProposedSettingProps) {
  return (
    <section
      data-card={call.id}
      tabIndex={-1}
      aria-label={label}
      className="flex items-start gap-2 border-t border-line bg-warn-soft px-3 py-1.5 text-sm focus-visible:-outline-offset-2"
    >
      <span className="sr-only">Proposed: a change</span>
      <span aria-hidden className="py-1 font-mono font-semibold text-warn">
        ~
      </span>
      <div className="min-w-0 flex-1 py-1 wrap-anywhere">{children}</div>
      {!disabled && (
        <ProposalActions
          call={call}
          label={label}
          onDecide={(ids, approved) => dispatch({ type: 'decided', ids, approved })}
        />
      )}
    </section>
  );
}

function SettingChange({ design, proposal }: { design: Design; proposal: SettingProposal }) {
  switch (proposal.kind) {
    case 'multiRow':
      return <Change before={modeLabel(design.multiRow)} after={modeLabel(proposal.enabled)} />;
    case 'description':
      return <Change before={design.description} after={proposal.description} />;
    case 'flags':
      return Object.entries(proposal.flags).map(([name, value]) => (
        <p key={name}>
          <code className="mr-2 font-mono text-xs">{name}</code>
          <Change before={flagText(design.featureFlags[name])} after={flagText(value)} />
        </p>
      ));
    case 'unreadable':
      return <span>The agent’s tool call is invalid. Decline it and the agent tries again.</span>;
  }
}

function Change({ before, after }: { before: string; after: string }) {
  return (
    <span className="whitespace-pre-wrap">
      {before !== '' && before !== after && (
        <del className="mr-1 inline-block max-w-full rounded-sm bg-bad-soft px-1">{before}</del>
      )}
      <ins className="inline-block max-w-full rounded-sm bg-good-soft px-1 no-underline outline-1 -outline-offset-1 outline-good">
        {after}
      </ins>
    </span>
  );
}

type Flag = FeatureFlags[string];

function flagText(value: Flag | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

interface FlagFieldProps {
  name: string;
  value: Flag;
  disabled: boolean;
  onChange: (value: Flag) => void;
}

/** An input for a feature flag, by the type of its value. */
function FlagField({ name, value, disabled, onChange }: FlagFieldProps) {
  if (typeof value === 'boolean') {
    return <CheckField label={name} checked={value} disabled={disabled} onChange={onChange} />;
  }
  const isNumber = typeof value === 'number';
  return (
    <TextField
      label={name}
      type={isNumber ? 'number' : 'text'}
      value={value}
      disabled={disabled}
      maxLength={1000}
      onChange={(event) => onChange(isNumber ? Number(event.target.value) : event.target.value)}
    />
  );
}
