import { Button } from '../../shared/ui/button.tsx';
import { useForm } from './form-context.tsx';
import { textOf } from './form-value.ts';
import { valueAt } from '../../shared/values/value-path.ts';

/** Someone else has changed this field meanwhile: lets the user choose between both values. */
export function FormConflict({ path }: { path: string }) {
  const { base, take, keep } = useForm();
  const theirs = valueAt(base, path);
  const shown = textOf(theirs) || 'not given';
  return (
    <div role="alert" className="mt-1 rounded-md bg-warn-soft px-2 py-1.5 text-xs">
      <p className="wrap-anywhere">
        Someone else changed this. It is now: <strong className="font-semibold">{shown.slice(0, 300)}</strong>
      </p>
      <div className="mt-1 flex gap-1.5">
        <Button size="small" onClick={() => take(path)}>
          Take theirs
        </Button>
        <Button size="small" onClick={() => keep(path)}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}
