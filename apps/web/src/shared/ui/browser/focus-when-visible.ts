const maxWaitMs = 5000;

/** Focuses an element as soon as it is visible: the code that renders it may still be loading. */
export function focusWhenVisible(selector: string): void {
  const deadline = Date.now() + maxWaitMs;
  const initialFocus = document.activeElement;
  const tryFocus = () => {
    const elements = [...document.querySelectorAll<HTMLElement>(selector)];
    const target = elements.find((element) => element.offsetParent !== null);
    if (target !== undefined) target.focus({ preventScroll: true });
    // Gives up when the user has moved the focus meanwhile. A page that opens takes it to its content.
    else if (Date.now() < deadline && (document.activeElement === initialFocus || isOfPage(document.activeElement))) {
      requestAnimationFrame(tryFocus);
    }
  };
  requestAnimationFrame(tryFocus);
}

const isOfPage = (focused: Element | null): boolean =>
  focused === null || focused === document.body || focused.id === 'content';
