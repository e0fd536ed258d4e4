const watchMs = 500;

/**
 * Ends this process when the server ends, with the same exit code, and passes signals on to the server. npm sends SIGTERM
 * only to its shell, which dies without passing it on: under npm, the end of the parent process counts as a SIGTERM too.
 * Call it before the server starts, so that the parent is known. Returns a function that takes the server's process.
 */
export function superviseServer() {
  const parent = process.ppid;
  let server;
  let asked = false;
  const stop = () => {
    if (server === undefined) process.exit(1);
    // A second SIGTERM would end the server at once.
    if (!asked) server.kill('SIGTERM');
    asked = true;
  };
  // A terminal sends Ctrl-C to the server as well; this process only waits, so that the prompt returns after the last line.
  process.on('SIGINT', () => {
    if (server === undefined) process.exit(130);
  });
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => process.ppid !== parent && stop(), watchMs).unref();
  }
  return (child) => {
    server = child;
    child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
  };
}
