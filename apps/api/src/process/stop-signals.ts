/** Longer than all that is stopped may take together, and within what service managers wait before they kill. */
const stopWithinMs = 30_000;

/** Whoever ends a group of processes signals this one, and its parent hands the same on: together they are one request. */
const sameRequestMs = 300;

/**
 * Ctrl-C and SIGTERM stop the server in order; a second one ends it at once.
 * @param stop closes everything; the process ends when it is done.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const onSignal = (): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < sameRequestMs) return;
      console.error('Ended at once.');
      process.exit(130);
    }
    stoppingSince = performance.now();
    console.log('Stopping… (again to end at once)');
    setTimeout(() => {
      console.error(`Not everything ended within ${stopWithinMs / 1000} s: ended at once.`);
      process.exit(1);
    }, stopWithinMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Stopping failed:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
