/** Longer than all that is stopped may take together, and within what service managers wait before they kill. */
const stopWithinMs = 30_000;

/**
 * Ctrl-C and SIGTERM stop the server in order; a second one ends it at once.
 * @param stop closes everything; the process ends when it is done.
 */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) {
      console.error('Ended at once.');
      process.exit(130);
    }
    stopping = true;
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
