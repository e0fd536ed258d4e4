/** Exit code of a server process when another process already serves the data directory. */
export const alreadyServedExitCode = 48;

/** The line that the server prints when its parent asks it to stop and it keeps running for other processes. */
export const servesOthersNotice = 'still serving other processes';
