/** A ref that focuses an element when it appears. It is one function, so that a new render does not focus again. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus();

/** Also selects the text of an input. */
export function selectOnMount(element: HTMLInputElement | HTMLSelectElement | null): void {
  element?.focus();
  if (element instanceof HTMLInputElement) element.select();
}
