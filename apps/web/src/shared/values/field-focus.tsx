import { createContext, use } from 'react';

export interface FieldSelection {
  path: string;
  /** Increases with each selection, so that selecting the same field again scrolls to it again. */
  ordinal: number;
  /** Whether its control takes the focus: the user has clicked the field's box on the page. */
  wantsFocus: boolean;
}

/** The selected and the hovered field, shared by the panel and the page beside it. */
export interface FieldFocus {
  selection: FieldSelection | undefined;
  hovered: string | undefined;
  select: (path: string) => void;
  /** Scrolls the page to a field; in narrow windows it also switches to the page. */
  showOnPage: (path: string) => void;
  /** Scrolls the page to a field in wide windows only, while the user moves through the fields. */
  follow: (path: string) => void;
  hover: (path: string | undefined) => void;
}

export const FieldFocusContext = createContext<FieldFocus | undefined>(undefined);

export function useFieldFocus(): FieldFocus {
  const focus = use(FieldFocusContext);
  if (!focus) throw new Error('useFieldFocus needs a FieldFocusContext above it');
  return focus;
}
