import type { FieldShape } from '../../shared/values/field-shape.ts';
import { FormConflict } from './form-conflict.tsx';
import { useForm } from './form-context.tsx';
import { FormControl } from './form-control.tsx';

interface CheckedControlProps {
  id: string;
  path: string;
  /** Set if there is no visible label. */
  label?: string;
  shape: FieldShape;
  value: unknown;
  problem: string | undefined;
  conflicting: boolean;
  onFocus: (path: string) => void;
  className?: string;
}

/** The control of a single value, with its problem and a conflicting change by someone else. */
export function CheckedControl({ id, path, problem, conflicting, ...rest }: CheckedControlProps) {
  const { disabled, set } = useForm();
  return (
    <>
      <FormControl
        {...rest}
        id={id}
        path={path}
        invalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : `${id}-problem`}
        disabled={disabled}
        set={set}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="mt-1 text-xs text-bad">
          {problem}
        </p>
      )}
      {conflicting && <FormConflict path={path} />}
    </>
  );
}
