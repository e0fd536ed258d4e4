import { DomainError } from '@docwright/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationService } from '../identity/index.ts';
import { createPartyPlaces, type TakePlace, type PerParty } from '../turn-admission/index.ts';

/** How many responses that take long a person, and an organization, holds open in one process. */
export interface StreamLimits {
  /** Server-sent events of documents, turns, runs, evaluations and approvals together. */
  readonly streams: PerParty;
  /** Files that are being downloaded. */
  readonly downloads: PerParty;
  /** Milliseconds between two checks that whoever follows a stream still may. */
  readonly checkEveryMs: number;
}

/** A PDF reader asks for several ranges of a file at once. */
export const defaultStreamLimits: StreamLimits = {
  streams: { person: 50, organization: 500 },
  downloads: { person: 20, organization: 200 },
  checkEveryMs: 10_000,
};

/** The one way to a response that stays open: within limits, and no longer than its reader has the right to it. */
export interface StreamAdmission {
  /**
   * Takes a place until the response closes; throws `too_many_streams` (429 with `retry-after`) where there is none. The
   * signal aborts, and the response ends, when the session, the access token or the membership ends, and when the server
   * closes.
   */
  stream(request: FastifyRequest, reply: FastifyReply): AbortSignal;
  /** Takes a place for a file until the response closes; throws `too_many_downloads`. */
  download(request: FastifyRequest, reply: FastifyReply): void;
}

/** Seconds after which it is worth while to try again, as nobody knows when a place will be free. */
const tryAgainSeconds = 5;

export function createStreamAdmission({
  limits,
  closing,
  holds,
}: {
  limits: StreamLimits;
  closing: AbortSignal;
  holds: AuthenticationService['holds'];
}): StreamAdmission {
  const streamPlaces = createPartyPlaces(limits.streams, () =>
    refusal('too_many_streams', 'Too many streams are open for you or your organization. Close one first.'),
  );
  const downloadPlaces = createPartyPlaces(limits.downloads, () =>
    refusal('too_many_downloads', 'Too many files are being downloaded by you or your organization. Wait for one.'),
  );

  function take(places: TakePlace, request: FastifyRequest, reply: FastifyReply): void {
    try {
      reply.raw.once('close', places(request.actor));
    } catch (error) {
      void reply.header('retry-after', tryAgainSeconds);
      throw error;
    }
  }

  return {
    stream(request, reply) {
      take(streamPlaces, request, reply);
      const { principal, actor } = request;
      const revoked = new AbortController();
      const checking = setInterval(() => void check(), limits.checkEveryMs);
      checking.unref();
      reply.raw.once('close', () => clearInterval(checking));

      async function check(): Promise<void> {
        try {
          if (await holds(principal, actor)) return;
        } catch (error) {
          // The stream itself reads the database and ends by that error; a check that cannot be made revokes nothing.
          request.log.debug({ err: error }, 'the access of a stream could not be checked');
          return;
        }
        clearInterval(checking);
        revoked.abort();
        // What is written from here on is dropped, so that the response ends in the middle of nothing.
        if (reply.raw.headersSent) reply.raw.end();
        else reply.raw.destroy();
      }

      return AbortSignal.any([closing, revoked.signal]);
    },
    download: (request, reply) => take(downloadPlaces, request, reply),
  };
}

function refusal(code: 'too_many_streams' | 'too_many_downloads', message: string): DomainError {
  return new DomainError('rate_limited', code, message);
}
