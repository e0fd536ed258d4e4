import {
  completeText,
  createDocumentAgentProfile,
  createOpenAiLlmClient,
  defaultDecide,
  newCallId,
  type LlmClient,
} from '@docwright/agent-core';
import { createInMemoryDocumentServices } from '@docwright/agent-core/testing';
import { startDemoModel } from '@docwright/demo-model';
import { completionRequest } from '../../../packages/agent-core/src/llm/openai/completion-request.ts';
import {
  extractionMessages,
  requestFormat,
} from '../../../apps/api/src/features/extractions/asking/extraction-request.ts';
import { nothingPlayed, playTurn, type Played } from './play-turn.ts';

const page = 'Contoso Ltd\nInvoice\nInvoice number: INV-7\nDate: 2026-03-01\nBolts  2  10.00\nTotal: 12.50 EUR';

/** The demo model's own conversation from an invoice to its values: its requests and the decisions of the user. */
export async function playDemo(): Promise<Played> {
  const played = nothingPlayed();
  const thread: string[] = [];
  played.threads.push(thread);
  const demo = await startDemoModel({ chunkDelayMs: 0 });
  try {
    const client = createOpenAiLlmClient({ baseUrl: demo.baseUrl });
    const noting = (notes: string[]): LlmClient => ({
      stream: (request) => {
        const body = completionRequest(request, demo.baseUrl);
        played.requests.push(body);
        notes.push(body);
        return client.stream(request);
      },
    });
    const services = createInMemoryDocumentServices({ pages: [page] });
    const run = services.extractions.run.bind(services.extractions);
    services.extractions.run = async (documentId, promptRevid, ...rest) => {
      const prompt = await services.prompts.get(promptRevid ?? '');
      const schema = await services.schemas.get(prompt.schema_revid ?? '');
      const messages = extractionMessages({
        prompt: prompt.content,
        documentName: 'invoice.pdf',
        pages: [{ page_num: 1, text: page }],
        responseFormat: schema.response_format,
      });
      const responseFormat = requestFormat(schema.response_format);
      const { text } = await completeText(noting([]), { model: demo.model, messages, responseFormat });
      services.store.extracted = JSON.parse(text) as unknown;
      played.output += text.length;
      return await run(documentId, promptRevid, ...rest);
    };
    const owner = { organizationId: 'a'.repeat(24), documentId: services.document.id, userId: 'c'.repeat(24) };
    const settings = { model: demo.model, mentions: [], autoApprove: false, autoApprovedTools: [] };
    await playTurn(
      {
        profile: createDocumentAgentProfile({ maxRounds: 20, timeoutMs: 60_000 }),
        llm: noting(thread),
        services,
        decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
        recordCalls: async () => undefined,
        signal: new AbortController().signal,
        turn: {
          turnId: newCallId(),
          threadId: newCallId(),
          owner,
          settings,
          messages: [{ role: 'user', content: 'create a schema for this invoice and extract it' }],
          workingState: { schema_revid: null, prompt_revid: null, extraction: null },
        },
      },
      played,
    );
    if (services.store.extractions.length === 0) throw new Error('The demo model extracted nothing.');
    return played;
  } finally {
    await demo.close();
  }
}
