/**
 * The host in the connection string of a server: `127.0.0.1:<port>` or the path of a socket file. Empty without one.
 */
export const hostOf = (uri: string): string => decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(uri)?.[1] ?? '');

/** The port of the loopback interface in a connection string; undefined for a socket file. */
export const portOf = (uri: string): number | undefined => {
  const port = /^127\.0\.0\.1:(\d+)$/.exec(hostOf(uri))?.[1];
  return port === undefined ? undefined : Number(port);
};
