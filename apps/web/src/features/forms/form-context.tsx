import type { Extraction } from '@docwright/contract';
import { createContext, use } from 'react';
import type { JsonSchema } from '../../shared/values/field-shape.ts';
import type { FormProblems } from './form-check.ts';

/** The data and actions that the parts of a form share. */
interface FormView {
  root: JsonSchema;
  /** The result on the server. */
  base: unknown;
  problems: FormProblems;
  conflicts: Set<string>;
  grounding: Extraction['grounding'];
  /** True for viewers. */
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
