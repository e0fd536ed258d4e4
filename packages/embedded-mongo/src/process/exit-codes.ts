/** What the server process exits with when another process serves its data directory. */
export const alreadyServedExitCode = 48;
