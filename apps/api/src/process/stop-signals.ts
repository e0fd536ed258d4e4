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
