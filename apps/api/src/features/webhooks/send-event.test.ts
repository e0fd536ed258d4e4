import type { OrganizationEvent } from '@docwright/contract';
import { expect, it } from 'vitest';
import { sendEvent } from './send-event.ts';

const event = { id: 'e', type: 'document.created', data: {}, timestamp: '', seq: 1 } as unknown as OrganizationEvent;
const receiver = { url: 'https://example.org/', headers: {}, secrets: [], keepAnswer: true };

it.each([200, 500])(
  'decides a try by the status %i, whose answer breaks off, and keeps what came of it',
  async (status) => {
    const beginning = new TextEncoder().encode('accep');
    let pulls = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(beginning);
        else controller.error(new DOMException('It took too long.', 'TimeoutError'));
      },
    });
    const answers = async () => new Response(body, { status });
    const outcome = await sendEvent(answers, event, receiver, new Date(), new AbortController().signal);
    expect(outcome).toMatchObject({ succeeded: status === 200, status, answer: 'accep' });
  },
);
