import { createContext, use } from 'react';

export interface FieldSelection {
  path: string;
  /** Counted, so that selecting the same field again leads to its place again. */
  ordinal: number;
  /** Whether its control is to take the focus: somebody has clicked the field's box on the page. */
  wantsFocus: boolean;
}

/** Which field is selected and which is pointed at: shared by the panel and the page beside it. */
export interface FieldFocus {
  selection: FieldSelection | undefined;
  hovered: string | undefined;
  select: (path: string) => void;
  /** Shows where a field stands on the page, and leaves the panel as it is where there is room for both. */
  showOnPage: (path: string) => void;
  /** The same as somebody goes through the fields: only where there is room for both. */
  follow: (path: string) => void;
  hover: (path: string | undefined) => void;
}

export const FieldFocusContext = createContext<FieldFocus | undefined>(undefined);

export function useFieldFocus(): FieldFocus {
  const focus = use(FieldFocusContext);
  if (!focus) throw new Error('useFieldFocus needs a FieldFocusContext above it');
  return focus;
}
