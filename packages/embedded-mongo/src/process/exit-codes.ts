/** Exit code of a server process whose data directory another process already serves. */
export const alreadyServedExitCode = 48;

/** The line with which the server answers its parent's request to stop when it keeps running for other processes. */
export const servesOthersNotice = 'still serving other processes';
