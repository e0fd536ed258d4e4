import { withExactResult, type Extraction } from '@docwright/contract';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { isRecord } from '../../shared/http/json-value.ts';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { createFormCheck, type FormProblems } from './form-check.ts';
import { FormContext } from './form-context.tsx';
import { FormProperties } from './form-node.tsx';
import { formShape } from './form-schema.ts';
import { changesBetween } from './form-value.ts';
import { useFormDraft } from './use-form-draft.ts';
import { FormSaveError, useFormSave } from './use-form-save.ts';
import { useWindowKey } from '../../shared/ui/browser/use-window-key.ts';
import { counted } from '../../shared/formats/counted.ts';

interface SchemaFormProps {
  extraction: Extraction;
  schema: JsonSchema;
  /** Whether the tab is visible: only then the form handles Ctrl+S. */
  shown: boolean;
}

/** An extraction as a form of its schema. Changes are sent when the user saves, and stored in the browser until then. */
export function SchemaForm({ extraction: stored, schema, shown }: SchemaFormProps) {
  const { canWrite } = useSession();
  const extraction = useMemo(() => withExactResult(stored), [stored]);
  const { draft, dirty, restored, set, take, keep, discard } = useFormDraft(extraction);
  const saving = useFormSave(extraction);
  const [invalidNote, setInvalidNote] = useState<string>();
  const check = useMemo(() => createFormCheck(schema), [schema]);
  const checked = useDeferredValue(draft.mine);
  const found = useMemo(() => check(checked), [check, checked]);
  const refused = saving.error instanceof FormSaveError ? saving.error.problems : undefined;
  const problems = useMemo(() => (refused && dirty ? new Map([...refused, ...found]) : found), [found, refused, dirty]);
  const changes = useMemo(() => changesBetween(draft.base, draft.mine), [draft]);
  const fields = useRef<HTMLElement>(null);
  const shape = formShape(schema, schema);
  const view = useMemo(
    () => ({
      root: schema,
      base: draft.base,
      problems,
      conflicts: new Set(draft.conflicts),
      grounding: extraction.grounding,
      disabled: !canWrite,
      set,
      take,
      keep,
    }),
    [schema, draft, problems, extraction.grounding, canWrite, set, take, keep],
  );

  const save = () => {
    if (!dirty || saving.isPending) return;
    const blocking = blockingProblems(
      check(draft.mine),
      check(draft.base),
      changes.map(({ path }) => path),
    );
    const [first] = blocking;
    if (first !== undefined) {
      setInvalidNote(blocking.length === 1 ? 'One field is invalid.' : `${blocking.length} fields are invalid.`);
      fields.current?.querySelector<HTMLElement>(`[data-control="${CSS.escape(first)}"]`)?.focus();
      return;
    }
    setInvalidNote(undefined);
    saving.mutate(draft);
  };
  useWindowKey((event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    save();
  }, shown);

  const failure = invalidNote ?? (saving.isError && dirty ? messageOf(saving.error) : undefined);
  return (
    <FormContext value={view}>
      <section ref={fields} aria-label="Form" className="min-h-0 flex-1 overflow-auto">
        {restored && <Notice className="m-3">Your unsaved changes were restored.</Notice>}
        {draft.lost.length > 0 && (
          <Notice tone="warn" className="m-3">
            These fields no longer exist, so your changes to them were not restored:{' '}
            {draft.lost.map(({ path, value }) => `${path} (${JSON.stringify(value)})`).join(', ')}.
          </Notice>
        )}
        {shape.kind === 'object' && isRecord(draft.mine) && (
          <FormProperties properties={shape.properties} path="" value={draft.mine} />
        )}
      </section>
      <footer className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface px-3 py-2">
        <p role={failure === undefined ? undefined : 'alert'} className="min-w-0 flex-1 text-sm wrap-anywhere">
          {failure === undefined ? (
            <span className="text-ink-soft">{stateLabel(changes.length, problems.size)}</span>
          ) : (
            <span className="text-bad">{failure}</span>
          )}
        </p>
        {canWrite && (
          <>
            <Button
              size="small"
              look="quiet"
              disabled={!dirty || saving.isPending}
              onClick={() => {
                setInvalidNote(undefined);
                discard();
              }}
            >
              Discard
            </Button>
            <Button size="small" look="primary" disabled={!dirty || saving.isPending} onClick={save}>
              {saving.isPending && <Spinner />} Save
            </Button>
          </>
        )}
      </footer>
    </FormContext>
  );
}

function stateLabel(changes: number, problems: number): string {
  const wrong = problems === 0 ? '' : `, ${problems} invalid`;
  if (changes === 0) return `All saved${wrong}`;
  return `${counted(changes, 'unsaved change')}${wrong}`;
}

/** Paths of the problems that the server would refuse: new ones, and any in changed fields. */
function blockingProblems(now: FormProblems, before: FormProblems, changed: string[]): string[] {
  return [...now].flatMap(([path, message]) => {
    const touched = changed.some((each) => path === each || path.startsWith(`${each}.`));
    return touched || before.get(path) !== message ? [path] : [];
  });
}
