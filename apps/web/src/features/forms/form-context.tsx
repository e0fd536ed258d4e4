import type { Extraction } from '@docwright/contract';
import { createContext, use } from 'react';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import type { FormProblems } from './form-check.ts';

/** What the parts of a form share. */
interface FormView {
  root: JsonSchema;
  /** What the server has. */
  base: unknown;
  problems: FormProblems;
  conflicts: Set<string>;
  grounding: Extraction['grounding'];
  /** For those who only read. */
  disabled: boolean;
  set: (path: string, value: unknown) => void;
  take: (path: string) => void;
  keep: (path: string) => void;
}

export const FormContext = createContext<FormView | undefined>(undefined);

export function useForm(): FormView {
  const view = use(FormContext);
  if (!view) throw new Error('useForm needs a FormContext above it');
  return view;
}
