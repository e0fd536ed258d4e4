import { useMemo, useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { JsonEditor } from '../shared/ui/fields/json-editor.tsx';
import { UnsavedGuard } from '../shared/ui/dialogs/unsaved-guard.tsx';
import { indentJson, parseJson } from '../shared/http/json-value.ts';
import { createArgumentCheck } from './argument-check.ts';

/** Changing these search parameters keeps the editor open. */
const harmlessParameters = ['tab', 'field', 'prompt'];

interface ArgumentEditorProps {
  /** JSON text. */
  argumentsText: string;
  /** What the editor begins with, as JSON text, if that is not the arguments. */
  start?: string | undefined;
  schema: Record<string, unknown>;
  onCancel: () => void;
  /** Receives the new arguments as JSON text. */
  onApprove: (argumentsText: string) => void;
  /** Receives each change that is not sent yet; undefined if none exists. */
  onDraft?: ((argumentsText: string | undefined) => void) | undefined;
}

/** Edits the arguments of a pending call; each key press validates them against the tool's schema. */
export function ArgumentEditor({
  argumentsText,
  start = argumentsText,
  schema,
  onCancel,
  onApprove,
  onDraft,
}: ArgumentEditorProps) {
  const [initialText] = useState(() => indentJson(argumentsText));
  const [startText] = useState(() => indentJson(start));
  const [text, setText] = useState(startText);
  const check = useMemo(() => createArgumentCheck(schema), [schema]);
  const problems = useMemo(() => check(text), [check, text]);
  const change = (next: string) => {
    setText(next);
    onDraft?.(next === initialText ? undefined : next);
  };
  const approve = () => {
    if (problems.length === 0) onApprove(JSON.stringify(parseJson(text)));
  };
  return (
    <div className="flex flex-col gap-2">
      <UnsavedGuard dirty={text !== initialText} harmless={harmlessParameters} />
      <JsonEditor label="Arguments" text={startText} onChange={change} onSubmit={approve} onCancel={onCancel} />
      <div aria-live="polite" className="text-xs">
        {problems.length === 0 ? (
          <p className="text-good">The arguments are valid.</p>
        ) : (
          <ul className="text-bad">
            {problems.map((problem) => (
              <li key={problem} className="wrap-anywhere">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" size="small" disabled={problems.length > 0} onClick={approve}>
          Approve with changes
        </Button>
        <Button look="quiet" size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
