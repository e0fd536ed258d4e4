const watchMs = 500;

/**
 * Ends with the server and as it ended, and hands on what asks this process to end. npm hands SIGTERM to the shell it has
 * started, which dies of it and tells nobody: under npm the end of whoever started this process counts as a SIGTERM too.
 * Called before the server is there, so that the parent is known; answers what takes the server.
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
