import { ParseError } from '../reader/parse-error.ts';
import { startJobThread } from '../threads/job-thread.ts';
import { createThreadPool, type JobThread } from '../threads/thread-pool.ts';
import type { Mail, MailAnswer, MailRequest } from './mail-worker.ts';

interface MailJob extends MailRequest {
  signal: AbortSignal | undefined;
}

const maxMilliseconds = 30_000;
/** Two, so that a slow mail does not hold up all others. */
const pool = createThreadPool({ startThread, size: 2, idleMilliseconds: 5_000 });

/**
 * Reads sender, subject and files of a mail in a worker thread that is stopped at the time limit. Anybody can send a mail, and a
 * large one would block the calling thread for seconds.
 *
 * @param input `bytes` is the whole mail (RFC 822). Of its files, the first `maxFiles` are returned; a mail inside of it is one file.
 * @throws {ParseError} if the mail is nested too deeply, or takes more time or memory than the limit. Rejects with the
 * signal's reason on an abort.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { readMail } from '@docwright/documents';
 *
 * const { subject, files } = await readMail({ bytes: await readFile('invoice.eml'), maxFiles: 100 });
 * console.log(subject, files.map(({ name }) => name));
 * ```
 */
export async function readMail({ signal, ...request }: MailRequest & { signal?: AbortSignal }): Promise<Mail> {
  return await pool.run({ ...request, signal });
}

function startThread(memoryBytes: number): JobThread<MailJob, Mail> {
  return startJobThread<MailJob, MailRequest, MailAnswer, Mail>({
    script: new URL('./mail-worker.ts', import.meta.url),
    memoryBytes,
    crash: {
      outOfMemory: 'The mail needs more memory than the limit. Save its attachments and upload them.',
      other: 'The mail crashed its reader. Save its attachments and upload them.',
    },
    handler({ bytes: mail, maxFiles }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        start() {
          const message = `Reading the mail was stopped after ${maxMilliseconds / 1000} seconds. Save its attachments and upload them.`;
          timer = setTimeout(() => job.kill(new ParseError('parse_timeout', message)), maxMilliseconds);
          const bytes = new Uint8Array(mail);
          job.send({ bytes, maxFiles }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'done') job.done(answer.mail, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}
