import { createInMemoryDocumentServices } from '@docwright/agent-core/testing';
import { expect, it } from 'vitest';
import { kindServices } from './kind-services.ts';

const text = { type: ['string', 'null'] };
const response_format = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'invoice',
    strict: true as const,
    schema: { type: 'object', properties: { total: text }, required: ['total'], additionalProperties: false },
  },
};

/** Creates a schema of this name in a run about a file. */
async function create(fileName: string, name: string) {
  const services = createInMemoryDocumentServices();
  Object.assign(services.document, { name: fileName });
  const restricted = kindServices({
    services,
    exclusively: async (make) => await make(),
    freeName: async (_, preferred) => preferred,
    existingKind: async () => undefined,
  });
  return await restricted.schemas.create({ name, response_format }, { call_id: 'call-1' });
}

it.each([
  ['zf_acme_invoice-42_ZUGFeRD.pdf', 'Inv_zf_acme_invoice-42_ZUGFeRD'],
  ['scan-2024-03.pdf', 'Scan 2024 03'],
  ['acme_final_invoice.pdf', 'acme_final_invoice'],
  ['march.pdf', 'march.pdf'],
])('refuses a name that comes from the file %s: %s', async (fileName, name) => {
  await expect(create(fileName, name)).rejects.toMatchObject({ code: 'named_after_file' });
});

it.each([
  ['invoice.pdf', 'Invoice', 'Invoice'],
  ['rechnung-42.pdf', 'Rechnung', 'Rechnung'],
  ['book.xlsx', 'Invoice, Sheet1', 'Invoice'],
])('accepts the name of a kind for %s: %s', async (fileName, name, stored) => {
  expect(await create(fileName, name)).toMatchObject({ name: stored });
});
