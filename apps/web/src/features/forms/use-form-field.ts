import { useEffect, useRef, type RefObject } from 'react';
import { useFieldFocus } from '../../shared/values/field-focus.tsx';
import { useForm } from './form-context.tsx';
import { sameValue } from './form-value.ts';
import { valueAt } from '../../shared/values/value-path.ts';

interface FormFieldState {
  /** The element that contains the field's control. */
  place: RefObject<HTMLElement | null>;
  problem: string | undefined;
  conflicting: boolean;
  changed: boolean;
  selected: boolean;
  pointed: boolean;
}

/** The state of one form field; scrolls to it and focuses it when its box on the page is clicked. */
export function useFormField<Element extends HTMLElement>(
  path: string,
  value: unknown,
): FormFieldState & { place: RefObject<Element | null> } {
  const { base, problems, conflicts } = useForm();
  const { selection, hovered } = useFieldFocus();
  const place = useRef<Element>(null);
  const seen = useRef<typeof selection>(undefined);
  useEffect(() => {
    if (selection?.path !== path || seen.current === selection) return;
    seen.current = selection;
    place.current?.scrollIntoView({ block: 'nearest' });
    const control = place.current?.querySelector<HTMLElement>('[data-control]');
    if (selection.wantsFocus && control !== document.activeElement) control?.focus({ preventScroll: true });
  }, [selection, path]);
  return {
    place,
    problem: problems.get(path),
    conflicting: conflicts.has(path),
    changed: !sameValue(valueAt(base, path) ?? null, value ?? null),
    selected: selection?.path === path,
    pointed: hovered === path,
  };
}
