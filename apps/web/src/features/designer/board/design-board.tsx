import type { Column, KeptField } from '@docwright/contract';
import type { Dispatch } from 'react';
import { messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { KeyCap } from '../../../shared/ui/key-cap.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import type { CheckedField, ColumnProblems, RejectedTexts } from '../state/column-check.ts';
import { BoardTable } from './board-table.tsx';
import { DesignSettings } from './design-settings.tsx';
import type { DesignerAction } from '../state/designer-reducer.ts';
import { NestedTable } from './nested-table.tsx';
import { DesignerNoticeBox } from './designer-notice.tsx';
import type { DesignerState } from '../state/designer-state.ts';
import { RawJson } from '../../../agent-ui/raw-json.tsx';

interface DesignBoardProps {
  state: DesignerState;
  /** Fields of the schema that columns cannot express. */
  keptFields: readonly KeptField[];
  problems: ColumnProblems;
  /** Texts rejected by the server, in all tables. */
  rejected: RejectedTexts;
  stacked: boolean;
  /** Whether the board has the name field. */
  named: boolean;
  /** Ids of the pending changes. */
  undecided: string[];
  saveError: Error | null;
  /** Whether the draft is based on an outdated version. */
  overwrites: boolean;
  restored: boolean;
  onStartOver: () => void;
  dispatch: Dispatch<DesignerAction>;
  onEdited: (column: Column, field: CheckedField) => void;
}

/** The design with its proposed changes. */
export function DesignBoard(props: DesignBoardProps) {
  const {
    state,
    keptFields,
    problems,
    rejected,
    stacked,
    named,
    undecided,
    saveError,
    overwrites,
    restored,
    onStartOver,
    dispatch,
    onEdited,
  } = props;
  const { canWrite } = useSession();
  const decideAll = (approved: boolean) => dispatch({ type: 'decided', ids: undecided, approved });
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-auto">
      <div className="flex flex-col gap-3 p-3 md:p-4">
        {restored && (
          <Notice
            tone={overwrites ? 'warn' : 'info'}
            actions={
              <Button size="small" onClick={onStartOver}>
                Start over
              </Button>
            }
          >
            {overwrites
              ? 'This draft is based on an earlier version. The schema has changed since; saving creates a new version that replaces it.'
              : 'Your draft was restored.'}
          </Notice>
        )}
        {stacked && state.notice && (
          <DesignerNoticeBox notice={state.notice} onContinue={() => dispatch({ type: 'continued' })} />
        )}
        {saveError && (
          <Notice tone="bad" className="whitespace-pre-line">
            {messageOf(saveError)}
          </Notice>
        )}
        {canWrite && undecided.length > 0 && (
          <Notice
            tone="warn"
            className="sticky top-0 z-10"
            actions={
              <span className="flex gap-1.5">
                <Button size="small" look="primary" onClick={() => decideAll(true)}>
                  Approve {undecided.length === 1 ? 'it' : `all ${undecided.length}`}
                </Button>
                <Button size="small" onClick={() => decideAll(false)}>
                  Decline {undecided.length === 1 ? 'it' : 'all'}
                </Button>
              </span>
            }
          >
            {undecided.length === 1 ? 'One proposed change.' : `${undecided.length} proposed changes.`}
            <span className="text-ink-soft max-md:hidden">
              {' '}
              Focused change: approve
              <KeyCap name="Y" /> decline
              <KeyCap name="N" />
            </span>
          </Notice>
        )}
        {named && (
          <TextField
            label="Name of the schema"
            maxLength={200}
            value={state.design.name}
            disabled={!canWrite}
            onChange={(event) => dispatch({ type: 'designChanged', patch: { name: event.target.value } })}
          />
        )}
        <DesignSettings state={state} disabled={!canWrite} dispatch={dispatch} />
        <BoardTable
          state={state}
          problems={problems}
          disabled={!canWrite}
          stacked={stacked}
          dispatch={dispatch}
          onEdited={onEdited}
        />
        {[...keptFields, ...newLists(state.design.tables, keptFields)].map(({ name, columns, schema }) => {
          if (!columns?.length) return null;
          return (
            <NestedTable
              key={name}
              name={name}
              schema={schema}
              columns={state.design.tables?.[name] ?? columns}
              designer={state}
              rejected={rejected}
              disabled={!canWrite}
              stacked={stacked}
              onChange={(next) => dispatch({ type: 'tableChanged', name, columns: next })}
              dispatch={dispatch}
              onEdited={onEdited}
            />
          );
        })}
        <KeptFields fields={keptFields.filter(({ columns }) => !columns?.length)} />
      </div>
    </div>
  );
}

/** Lists of the design that the stored schema does not have. */
function newLists(
  tables: Readonly<Record<string, Column[]>> = {},
  stored: readonly KeptField[],
): Pick<KeptField, 'name' | 'columns' | 'schema'>[] {
  const added = Object.entries(tables).filter(([name]) => stored.every((field) => field.name !== name));
  return added.map(([name, columns]) => ({ name, columns, schema: {} }));
}

/** Fields that columns cannot express; saving keeps them. */
function KeptFields({ fields }: { fields: readonly KeptField[] }) {
  if (fields.length === 0) return null;
  return (
    <section aria-label="Unchanged fields" className="flex flex-col gap-2">
      <h2 className="font-semibold">Unchanged fields</h2>
      <p className="text-sm text-ink-soft">
        Columns cannot express these fields. Saving keeps them; to change them, ask the agent or edit the schema as
        JSON.
      </p>
      {fields.map((field) => (
        <div key={field.name} className="rounded-md border border-line bg-surface p-3 text-sm">
          <h3 className="font-medium">{field.name}</h3>
          <RawJson label={`JSON schema: ${field.why}`} value={field.schema} />
        </div>
      ))}
    </section>
  );
}
