import { memo, useState, type ComponentProps } from 'react';
import { textsOfRoundedNumbers } from '@docwright/contract';
import type { FieldShape } from '../../shared/values/field-shape.ts';
import { textAsValue } from '../../shared/values/field-value.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { inputClass } from '../../shared/ui/fields/text-field.tsx';
import { editableNumber, numberAsJson } from '../../shared/formats/locale.ts';
import { textOf } from './form-value.ts';

interface FormControlProps {
  id: string;
  path: string;
  /** Set if there is no visible label. */
  label?: string;
  shape: FieldShape;
  value: unknown;
  invalid: boolean;
  /** Id of the message about the value. */
  describedBy: string | undefined;
  disabled: boolean;
  set: (path: string, value: unknown) => void;
  onFocus: (path: string) => void;
  className?: string;
}

/** The control for one value. Text that does not fit the type is stored as typed, so that the check reports it. */
export const FormControl = memo((props: FormControlProps) => {
  const { id, path, label, shape, value, invalid, describedBy, disabled, set, onFocus, className } = props;
  // Chosen once: an input that turned into a text area while the user types would lose the focus.
  const [long] = useState(() => typeof value === 'string' && (value.length > 60 || value.includes('\n')));
  const shared = {
    id,
    'data-control': path,
    'aria-label': label,
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
    disabled,
    onFocus: () => onFocus(path),
    className: classNames(inputClass, className),
  };
  const options = shape.type === 'boolean' ? [true, false] : shape.options;
  if (options) {
    return (
      <OptionControl
        {...shared}
        options={options}
        nullable={shape.nullable}
        value={value}
        onPick={(next) => set(path, next)}
      />
    );
  }
  if (shape.type === 'number' || shape.type === 'integer') {
    return <NumberControl {...shared} value={value} onNumber={(next) => set(path, next)} />;
  }
  const text = textOf(value);
  const write = (typed: string) => set(path, typed === '' && shape.nullable ? null : typed);
  if (long) {
    return (
      <textarea
        {...shared}
        rows={2}
        value={text}
        onChange={(event) => write(event.target.value)}
        className={classNames(
          shared.className,
          'field-sizing-content h-auto max-h-48 min-h-8 resize-y py-1.5 leading-4.5',
        )}
      />
    );
  }
  // A date field of a browser shows nothing if the text is not a date; the user has to see it to correct it.
  const isDate = shape.format === 'date' && /^(\d{4}-\d{2}-\d{2})?$/u.test(text);
  return (
    <input
      {...shared}
      type={isDate ? 'date' : 'text'}
      value={text}
      placeholder={shape.nullable ? 'Not given' : undefined}
      onChange={(event) => write(event.target.value)}
      onBlur={() => textAsValue(text, shape) !== text && write(textAsValue(text, shape))}
    />
  );
});
FormControl.displayName = 'FormControl';

interface NumberControlProps extends Omit<ComponentProps<'input'>, 'value'> {
  value: unknown;
  onNumber: (value: unknown) => void;
}

function NumberControl({ value, onNumber, className, ...rest }: NumberControlProps) {
  const [typed, setTyped] = useState('');
  // "1.0" and "1" are the same number: the typed text stays as long as it has the same value.
  const shown = typeof value === 'number' ? editableNumber(value) : textOf(value);
  const text = Object.is(numberIn(typed), value) ? typed : shown;
  return (
    <input
      {...rest}
      inputMode="decimal"
      value={text}
      placeholder="Not given"
      onChange={(event) => {
        setTyped(event.target.value);
        onNumber(numberIn(event.target.value));
      }}
      className={classNames(className, 'text-right tabular-nums')}
    />
  );
}

function numberIn(typed: string): number | string | null {
  if (typed.trim() === '') return null;
  const digits = numberAsJson(typed);
  if (digits === undefined) return typed;
  return textsOfRoundedNumbers(digits, '').size > 0 ? digits : Number(digits);
}

interface OptionControlProps extends Omit<ComponentProps<'select'>, 'value'> {
  options: (string | number | boolean)[];
  nullable: boolean;
  value: unknown;
  onPick: (value: unknown) => void;
}

function OptionControl({ options, nullable, value, onPick, ...rest }: OptionControlProps) {
  const index = options.findIndex((option) => option === value);
  const given = value !== null && value !== undefined;
  return (
    <select
      {...rest}
      value={index < 0 ? (given ? 'other' : '') : String(index)}
      onChange={(event) => onPick(event.target.value === '' ? null : options[Number(event.target.value)])}
    >
      {(nullable || !given) && <option value="">{nullable ? 'Not given' : 'Choose…'}</option>}
      {given && index < 0 && (
        <option value="other" disabled>
          {textOf(value)} (not one of these)
        </option>
      )}
      {options.map((option, each) => (
        <option key={String(option)} value={String(each)}>
          {typeof option === 'boolean' ? (option ? 'Yes' : 'No') : option}
        </option>
      ))}
    </select>
  );
}
