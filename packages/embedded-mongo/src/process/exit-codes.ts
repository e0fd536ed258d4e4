/** What the server process exits with when another process serves its data directory. */
export const alreadyServedExitCode = 48;

/** What the server process says to its parent, who asks for the end, when it goes on for others. */
export const leftToGuests = 'left to guests';
