import { createContext, use } from 'react';

/** Which field is selected and which is pointed at: shared by the panel and the page beside it. */
export interface FieldFocus {
  /** Counted, so that selecting the same field again leads to its place again. */
  selection: { path: string; ordinal: number } | undefined;
  hovered: string | undefined;
  select: (path: string) => void;
  /** Shows where a field stands on the page, and leaves the panel as it is where there is room for both. */
  showOnPage: (path: string) => void;
  hover: (path: string | undefined) => void;
}

export const FieldFocusContext = createContext<FieldFocus | undefined>(undefined);

export function useFieldFocus(): FieldFocus {
  const focus = use(FieldFocusContext);
  if (!focus) throw new Error('useFieldFocus needs a FieldFocusContext above it');
  return focus;
}
