const waitsAtMostMs = 5000;

/** Focuses an element as soon as it is shown: code that is loaded first may still have to draw it. */
export function focusWhenThere(selector: string): void {
  const until = Date.now() + waitsAtMostMs;
  const startedAt = document.activeElement;
  const look = () => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.offsetParent !== null);
    if (found !== undefined) found.focus({ preventScroll: true });
    // The focus was moved meanwhile: it stays where it was put.
    else if (Date.now() < until && [startedAt, document.body].includes(document.activeElement)) {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}
