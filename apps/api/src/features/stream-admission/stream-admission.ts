import { DomainError } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from '../../platform/streams/when-closed.ts';
import type { AuthenticationService } from '../identity/index.ts';
import { createPartyPlaces, type PerParty } from '../turn-admission/index.ts';

/** The maximum numbers of open long-lived responses of a user, and of an organization, over all processes. */
export interface StreamLimits {
  /** Server-sent events of documents, turns, runs, evaluations and approvals together. */
  readonly streams: PerParty;
  /** Downloads of files. */
  readonly downloads: PerParty;
  /** Milliseconds between two checks that the user of a stream still has access. */
  readonly checkEveryMs: number;
}

/** Several downloads at once are normal: PDF readers request several ranges of a file. */
export const defaultStreamLimits: StreamLimits = {
  streams: { user: 50, organization: 500 },
  downloads: { user: 20, organization: 200 },
  checkEveryMs: 10_000,
};

/** Admits long-lived responses within the limits, and ends them when the user loses access. */
export type StreamAdmission = ReturnType<typeof createStreamAdmission>;

export function createStreamAdmission({
  limits,
  apiProcesses,
  closing,
  isStillValid,
}: {
  limits: StreamLimits;
  apiProcesses: () => number;
  closing: AbortSignal;
  isStillValid: AuthenticationService['isStillValid'];
}) {
  const takeStreamPlace = createPartyPlaces(limits.streams, apiProcesses, () =>
    rateLimited('too_many_streams', 'You or your organization have too many open streams. Close one first.'),
  );
  const takeDownloadPlace = createPartyPlaces(limits.downloads, apiProcesses, () =>
    rateLimited('too_many_downloads', 'You or your organization have too many downloads. Wait until one has ended.'),
  );

  return {
    /**
     * Takes a place until the response closes. Throws `too_many_streams` (429 with `retry-after`) at the limit. The signal
     * aborts, and the response ends, when the session, the access token or the membership ends, and when the server shuts
     * down.
     */
    stream(request: FastifyRequest, reply: FastifyReply): AbortSignal {
      whenClosed(reply.raw, takeStreamPlace(request, reply));
      const { principal, actor } = request;
      const revoked = new AbortController();
      const checking = setInterval(() => void check(), limits.checkEveryMs);
      checking.unref();
      whenClosed(reply.raw, () => clearInterval(checking));

      async function check(): Promise<void> {
        try {
          if (await isStillValid(principal, actor)) return;
        } catch (error) {
          // A failed check revokes nothing. If the database is down, the stream itself fails.
          request.log.debug({ err: error }, 'checking the access of a stream failed');
          return;
        }
        clearInterval(checking);
        revoked.abort();
        // Later writes are dropped: the response ends between two events.
        if (!reply.raw.headersSent) return void reply.raw.destroy();
        reply.raw.end();
        // A client that reads nothing would keep its place as long as its connection.
        setTimeout(() => reply.raw.destroy(), limits.checkEveryMs).unref();
      }

      return AbortSignal.any([closing, revoked.signal]);
    },
    /** Takes a place for a download until the response closes. Throws `too_many_downloads`. */
    download: (request: FastifyRequest, reply: FastifyReply): void =>
      whenClosed(reply.raw, takeDownloadPlace(request, reply)),
  };
}

function rateLimited(code: 'too_many_streams' | 'too_many_downloads', message: string): DomainError {
  return new DomainError('rate_limited', code, message);
}
