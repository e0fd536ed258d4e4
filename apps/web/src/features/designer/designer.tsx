import type { SchemaColumnsAnswer } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChosenModel } from '../../agent-ui/model-choice.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { Splitter } from '../../shared/ui/splitter.tsx';
import { useStoredValue } from '../../shared/ui/stored-value.ts';
import { TabPanel, Tabs } from '../../shared/ui/tabs.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { useMediaQuery } from '../../shared/ui/use-media-query.ts';
import { checkColumns } from './state/column-check.ts';
import { DesignBoard } from './board/design-board.tsx';
import { DesignerChat } from './chat/designer-chat.tsx';
import { draftKey, readDraft } from './state/designer-draft.ts';
import { DesignerHeader } from './designer-header.tsx';
import { emptyDesign, newDesigner, type Design, type DesignerState } from './state/designer-state.ts';
import { useDesigner } from './state/use-designer.ts';
import { useDesignerDraft } from './state/use-designer-draft.ts';
import { useSaveDesign } from './state/use-save-design.ts';
import { useServerCheck } from './state/use-server-check.ts';
import { showChange, useWaitingChanges } from './state/use-waiting-changes.ts';

const chatWidths = { minimum: 320, standard: 400, maximum: 720 };
const keys = [
  ['Y', 'Approve the change in focus'],
  ['N', 'Decline it'],
  ['↑ ↓', 'From change to change'],
  ['Alt ↑ ↓', 'Move the column that is being written'],
  ['Esc', 'Stop the agent'],
] as const;

const designOf = (stored: SchemaColumnsAnswer): Design => ({
  ...emptyDesign,
  name: stored.name,
  columns: stored.columns,
  multiRow: stored.multi_row,
});

/** What goes on in the conversation, for those who look at the columns. */
function agentTab({ phase, questions, imageRequests }: DesignerState): string {
  if (questions.length > 0 || imageRequests.length > 0) return 'Agent · asks you';
  return phase === 'thinking' ? 'Agent · working…' : 'Agent';
}

/** The designer of one schema, or of a new one. What is not saved stays in this browser. */
export function Designer({ stored }: { stored: SchemaColumnsAnswer | undefined }) {
  const { orgId, canWrite } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const key = draftKey(orgId, stored?.schema_id);
  const [origin] = useState(() => (stored === undefined ? emptyDesign : designOf(stored)));
  const [kept, setKept] = useState(() => readDraft(key));
  const [saved, setSaved] = useState(false);
  const chosen = useChosenModel();
  const designer = useDesigner(orgId, kept?.state ?? newDesigner(origin), chosen.model);
  const { state, dispatch } = designer;
  const changed = JSON.stringify(state.design) !== JSON.stringify(origin);
  const dirty = !saved && (changed || state.history.length > 0);
  useDesignerDraft({ key, schemaRevid: kept?.schemaRevid ?? stored?.schema_revid, state, dirty });

  const wide = useMediaQuery('(min-width: 1024px)');
  const roomy = useMediaQuery('(min-width: 1200px)');
  const [tab, setTab] = useState<'columns' | 'agent'>(stored === undefined && canWrite ? 'agent' : 'columns');
  const [storedWidth, storeWidth] = useStoredValue('docwright.designer-width');
  const width = Number(storedWidth) || chatWidths.standard;
  const waiting = useWaitingChanges(state, wide || tab === 'columns', dispatch);
  const server = useServerCheck(orgId);
  const problems = checkColumns(state.design.columns, server.refused);
  const saving = useSaveDesign(stored, {
    onSaved(schema) {
      setSaved(true);
      const isNew = stored === undefined;
      toast(isNew ? `“${schema.name}” is saved.` : `Saved as version ${schema.schema_version}.`);
    },
    onRead: ({ schema_id }) => navigate({ to: '/schemas/$schemaId', params: { schemaId: schema_id } }),
  });
  const startOver = () => {
    setKept(undefined);
    designer.replace(newDesigner(origin));
  };
  const onShow = (callId: string) => {
    setTab('columns');
    setTimeout(() => showChange(callId));
  };

  const overwrites = kept !== undefined && kept.schemaRevid !== stored?.schema_revid;
  const chat = (
    <DesignerChat designer={designer} chosen={chosen} draftKey={`${key}.message`} decides={!wide} onShow={onShow} />
  );
  const board = (
    <DesignBoard
      state={state}
      problems={problems}
      stacked={!wide}
      named={!roomy}
      undecided={waiting}
      saveError={saving.error}
      overwrites={overwrites}
      restored={kept !== undefined && dirty && (overwrites || state === kept.state)}
      onStartOver={startOver}
      dispatch={dispatch}
      onWritten={server.check}
    />
  );
  return (
    <>
      <PageKeys keys={keys} />
      <DesignerHeader
        stored={stored}
        state={state}
        named={roomy}
        dirty={dirty}
        problems={problems}
        saving={saving.isPending}
        onName={(name) => dispatch({ type: 'designChanged', patch: { name } })}
        onSave={() => saving.mutate(state.design)}
        onStartOver={startOver}
      />
      {!canWrite ? (
        <main className="flex min-h-0 flex-1">{board}</main>
      ) : wide ? (
        <main className="flex min-h-0 flex-1">
          <div className="flex min-w-0 shrink-0 bg-surface" style={{ width: `min(${width}px, 37vw)` }}>
            {chat}
          </div>
          <Splitter
            label="Width of the conversation"
            width={width}
            minimum={chatWidths.minimum}
            maximum={chatWidths.maximum}
            onResize={(next) => storeWidth(String(next))}
          />
          {board}
        </main>
      ) : (
        <main className="flex min-h-0 flex-1">
          <Tabs
            label="Views of the design"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'columns', label: waiting.length > 0 ? `Columns · ${waiting.length} proposed` : 'Columns' },
              { value: 'agent', label: agentTab(state) },
            ]}
          >
            <TabPanel value="columns" shown={tab === 'columns'}>
              {board}
            </TabPanel>
            <TabPanel value="agent" shown={tab === 'agent'}>
              {chat}
            </TabPanel>
          </Tabs>
        </main>
      )}
    </>
  );
}
