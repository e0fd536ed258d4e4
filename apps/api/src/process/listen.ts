import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from './start-error.ts';

/** Listens and answers the address for people. @throws StartError when the address cannot be had. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw refusal((error as NodeJS.ErrnoException).code, host, port) ?? error;
  }
  const { port: listening } = app.server.address() as AddressInfo;
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${listening}`;
}

function refusal(code: string | undefined, host: string, port: number): StartError | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(`PORT ${port} on ${host} is in use: stop what listens there, or set PORT to another one.`);
    case 'EACCES':
      return new StartError(`PORT ${port} may not be used by this user: set PORT to one from 1024 on.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`);
    default:
      return undefined;
  }
}
