import { expect, it } from 'vitest';
import { chatRequest } from '../protocol/chat-request.ts';
import { answerRequest } from './answer-request.ts';

const ask = (text: string) =>
  answerRequest(
    chatRequest.parse({
      model: 'demo',
      messages: [
        {
          role: 'system',
          content: 'Descriptions:\nroute_1: Invoices of suppliers\nroute_2: Letters about the heating of a rented flat',
        },
        {
          role: 'user',
          content: `<document name="a.pdf" pages="1">\n<page number="1">\n${text}\n</page>\n</document>`,
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'document_route', schema: {} } },
    }),
  );

it('chooses the kind that a description names, then the one whose words the document has, and none', () => {
  const invoice = ask('Contoso Ltd\nINVOICE\nInvoice number: 7\nAmount due: 12.00');
  expect(invoice.text).toBe('{"route":"route_1"}');
  expect(ask('Dear Sir, the heating in the flat that I rented is broken. This letter').text).toBe(
    '{"route":"route_2"}',
  );
  const none = ask('The sea was calm.');
  expect(none.text).toBe('{"route":"none"}');
  expect(invoice.tokens!.map(({ text }) => text).join('')).toBe(invoice.text);
  expect(invoice.tokens![1]!.probability).toBeGreaterThan(0.7);
});
