import { useMemo, useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { JsonEditor } from '../shared/ui/fields/json-editor.tsx';
import { UnsavedGuard } from '../shared/ui/dialogs/unsaved-guard.tsx';
import { createArgumentCheck } from './argument-check.ts';

/** Another tab, field or extraction of the same document leaves what is written where it is. */
const lookingAround = ['tab', 'field', 'prompt'];

interface ArgumentEditorProps {
  /** A JSON string, as the call carries it. */
  argumentsText: string;
  schema: Record<string, unknown>;
  onCancel: () => void;
  /** Gets the new arguments as a JSON string. */
  onApprove: (argumentsText: string) => void;
}

/** Changes what a waiting call will run with; held against the tool's schema with every key. */
export function ArgumentEditor({ argumentsText, schema, onCancel, onApprove }: ArgumentEditorProps) {
  const [begun] = useState(() => indented(argumentsText));
  const [text, setText] = useState(begun);
  const check = useMemo(() => createArgumentCheck(schema), [schema]);
  const problems = useMemo(() => check(text), [check, text]);
  const approve = () => {
    if (problems.length === 0) onApprove(JSON.stringify(JSON.parse(text)));
  };
  return (
    <div className="flex flex-col gap-2">
      <UnsavedGuard dirty={text !== begun} harmless={lookingAround} />
      <JsonEditor label="Arguments" text={begun} onChange={setText} onSubmit={approve} onCancel={onCancel} />
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
          Approve with these
        </Button>
        <Button look="quiet" size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
