import type { Column, SchemaColumnsAnswer } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState, useEffect, useMemo, useRef } from 'react';
import { useChosenModel } from '../../agent-ui/model-choice.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { isStorageEnded, storedName, writeStored, readStored } from '../../shared/ui/browser/stored-value.ts';
import { useToast } from '../../shared/ui/toasts.tsx';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { checkColumns } from './state/column-check.ts';
import { DesignBoard } from './board/design-board.tsx';
import { DesignerChat } from './chat/designer-chat.tsx';
import { DesignerHeader } from './designer-header.tsx';
import { emptyDesign, newDesigner, type Design, type DesignerState } from './state/designer-state.ts';
import { useDesigner, useServerCheck } from './state/use-designer.ts';
import { showChange, usePendingChanges } from './state/use-pending-changes.ts';
import { parseJson, isRecord } from '../../shared/http/json-value.ts';
import { withNewestImages } from './state/example-image.ts';
import { useQueryClient } from '@tanstack/react-query';
import { saveColumns } from '../../shared/api/schema-chat-api.ts';
import { schemaQuery } from '../../shared/api/library-api.ts';
import { useSchemaSave } from '../schema-effect/index.ts';
import { ChatLayout } from '../../agent-ui/chat-layout.tsx';

const chatWidths = { key: 'docwright.designer-width', minimum: 320, standard: 400, maximum: 720, maxShare: 37 };
const keys = [
  ['Y', 'Approve the focused change'],
  ['N', 'Decline it'],
  ['↑ ↓', 'Next or previous change'],
  ['Alt ↑ ↓', 'Move the focused column'],
  ['Esc', 'Stop the agent'],
] as const;

const designOf = (stored: SchemaColumnsAnswer): Design => ({
  ...emptyDesign,
  name: stored.name,
  columns: stored.columns,
  tables: Object.fromEntries(stored.kept.flatMap(({ name, columns }) => (columns?.length ? [[name, columns]] : []))),
  multiRow: stored.multi_row,
});

/** The label of the agent's tab, with its state. */
function agentTab({ phase, questions, imageRequests }: DesignerState): string {
  if (questions.length > 0 || imageRequests.length > 0) return 'Agent · has a question';
  return phase === 'thinking' ? 'Agent · working…' : 'Agent';
}

/** Designs a new schema or edits one. Unsaved changes are stored in this browser. */
export function Designer({ stored }: { stored: SchemaColumnsAnswer | undefined }) {
  const { orgId, canWrite } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const queries = useQueryClient();
  const key = draftKey(orgId, stored?.schema_id);
  const [origin] = useState(() => (stored === undefined ? emptyDesign : designOf(stored)));
  const [draft, setDraft] = useState(() => readDraft(key));
  const [saved, setSaved] = useState(false);
  const chosen = useChosenModel();
  const designer = useDesigner(orgId, draft?.state ?? newDesigner(origin), chosen.model);
  const { state, dispatch } = designer;
  const changed = JSON.stringify(state.design) !== JSON.stringify(origin);
  const dirty = !saved && (changed || state.history.length > 0);
  useDesignerDraft({ key, schemaRevid: draft?.schemaRevid ?? stored?.schema_revid, state, dirty });

  const wide = useMediaQuery('(min-width: 1024px)');
  const roomy = useMediaQuery('(min-width: 1200px)');
  const [tab, setTab] = useState<'columns' | 'agent'>(stored === undefined && canWrite ? 'agent' : 'columns');
  const undecided = usePendingChanges(state, wide || tab === 'columns', dispatch);
  const server = useServerCheck(orgId);
  const problems = checkColumns(state.design.columns, server.rejected);
  const tables = Object.values(state.design.tables ?? {});
  const allProblems = new Map(
    [problems, ...tables.map((table) => checkColumns(table, server.rejected))].flatMap((found) => [...found]),
  );
  const saving = useSchemaSave<Design>({
    former: stored,
    preview: async (design) => {
      const body = bodyOf(design, stored);
      const [opened, next] = await Promise.all([
        queries.fetchQuery(schemaQuery(orgId, stored?.schema_revid ?? '')),
        saveColumns(orgId, { ...body, dry_run: true }),
      ]);
      const { response_format: before, schema_version } = opened;
      const isSame = JSON.stringify(next.response_format) === JSON.stringify(before);
      return isSame && next.schema_version === schema_version
        ? undefined
        : { before, after: next.response_format, version: next.schema_version };
    },
    save: (design) => saveColumns(orgId, bodyOf(design, stored)),
    onSaved: (schema) => {
      setSaved(true);
      const isNew = stored === undefined;
      toast(isNew ? `“${schema.name}” was saved.` : `Saved as version ${schema.schema_version}.`);
    },
    onDone: ({ schema_id }) => navigate({ to: '/schemas/$schemaId', params: { schemaId: schema_id } }),
  });
  const startOver = () => {
    setDraft(undefined);
    designer.replace(newDesigner(origin));
  };
  const onShow = (callId: string) => {
    setTab('columns');
    setTimeout(() => showChange(callId));
  };

  const overwrites = draft !== undefined && draft.schemaRevid !== stored?.schema_revid;
  const chat = (
    <DesignerChat designer={designer} chosen={chosen} draftKey={`${key}.message`} decides={!wide} onShow={onShow} />
  );
  const board = (
    <DesignBoard
      state={state}
      keptFields={stored?.kept ?? []}
      problems={problems}
      rejected={server.rejected}
      stacked={!wide}
      named={!roomy}
      undecided={undecided}
      saveError={saving.error}
      overwrites={overwrites}
      restored={draft !== undefined && dirty && (overwrites || state === draft.state)}
      onStartOver={startOver}
      dispatch={dispatch}
      onEdited={server.check}
    />
  );
  return (
    <>
      <PageKeys keys={keys} />
      {saving.dialog}
      <DesignerHeader
        stored={stored}
        state={state}
        named={roomy}
        dirty={dirty}
        problems={allProblems}
        saving={saving.isPending}
        onName={(name) => dispatch({ type: 'designChanged', patch: { name } })}
        onSave={() => saving.start(state.design)}
        onStartOver={startOver}
      />
      {!canWrite ? (
        <main className="flex min-h-0 flex-1">{board}</main>
      ) : (
        <ChatLayout
          chat={chat}
          board={board}
          isWide={wide}
          widths={chatWidths}
          tabsLabel="Views of the design"
          tabs={[
            { value: 'columns', label: undecided.length > 0 ? `Columns · ${undecided.length} proposed` : 'Columns' },
            { value: 'agent', label: agentTab(state) },
          ]}
          chatTab="agent"
          tab={tab}
          onTab={setTab}
        />
      )}
    </>
  );
}

interface DraftOptions {
  key: string;
  schemaRevid: string | undefined;
  state: DesignerState;
  /** Whether there are unsaved changes. */
  dirty: boolean;
}

/** Stores the draft in this browser after each change and when the page is left. */
function useDesignerDraft({ key, schemaRevid, state, dirty }: DraftOptions): void {
  const draft = useMemo(() => ({ key, schemaRevid, state, dirty }), [key, schemaRevid, state, dirty]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
    const timer = setTimeout(() => storeDraft(draft), 300);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    const flush = () => storeDraft(latest.current);
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
}

function storeDraft({ key, schemaRevid, state, dirty }: DraftOptions): void {
  if (dirty) writeDraft(key, schemaRevid, state);
  else writeStored(key, null);
}

/** An unsaved design as stored in the browser. */
interface StoredDraft extends Draft {
  /** Version of the format. */
  form: 1;
}

const draftKey = (orgId: string, schemaId: string | undefined) => `docwright.designer.${orgId}.${schemaId ?? 'new'}`;

interface Draft {
  /** The revision that the draft is based on. */
  schemaRevid: string | undefined;
  state: DesignerState;
}

/** Reads the draft of an earlier visit; a request that was in progress counts as interrupted. */
function readDraft(key: string): Draft | undefined {
  const value = parseJson(readStored(key) ?? '');
  if (!isRecord(value) || value['form'] !== 1 || !isRecord(value['state'])) return undefined;
  const { schemaRevid, state } = value as unknown as StoredDraft;
  if (state.phase === 'idle') return { schemaRevid, state };
  const waiting = state.waiting.map(({ id, function: called }) => ({ id, function: called }));
  const notice = state.phase === 'applying' ? undefined : ({ kind: 'interrupted' } as const);
  return { schemaRevid, state: { ...state, phase: 'idle', waiting, notice } };
}

function writeDraft(key: string, schemaRevid: string | undefined, state: DesignerState): void {
  if (isStorageEnded()) return;
  const write = (stored: DesignerState) =>
    window.localStorage.setItem(
      storedName(key),
      JSON.stringify({ form: 1, schemaRevid, state: stored } satisfies StoredDraft),
    );
  try {
    write(state);
  } catch {
    try {
      // Images fill the storage: store the conversation without them.
      write({ ...state, history: withNewestImages(state.history, 0), chosenImages: {} });
    } catch {
      // Storage is blocked: the draft lasts as long as the page.
    }
  }
}

/** The columns as a new schema, or as a new version of the opened one. */
function bodyOf(
  { name, columns, multiRow, tables = {} }: Design,
  opened: Pick<SchemaColumnsAnswer, 'schema_id' | 'schema_revid' | 'kept'> | undefined,
): Parameters<typeof saveColumns>[1] {
  return {
    name: name.trim(),
    columns,
    multi_row: multiRow,
    ...(opened && { schema_id: opened.schema_id, base_revid: opened.schema_revid }),
    tables: changedTables(opened?.kept ?? [], tables),
  };
}

/** The lists with changed columns, and the new ones. */
function changedTables(kept: SchemaColumnsAnswer['kept'], tables: Record<string, Column[]>) {
  return Object.entries(tables).flatMap(([name, columns]) => {
    const before = kept.find((field) => field.name === name)?.columns;
    return JSON.stringify(columns) === JSON.stringify(before) ? [] : [{ name, columns }];
  });
}
