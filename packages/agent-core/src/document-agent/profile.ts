import type { AgentProfile } from '../loop/agent-profile.ts';
import type { PageText } from './document-block.ts';
import { findMentions } from './mention.ts';
import type { DocumentAgentServices } from './services.ts';
import { documentAgentSystemPrompt } from './system-prompt.ts';
import { documentAgentTools } from './tools/index.ts';

/** The agent of the chat on a document's page, and of what runs it without a person. */
export function createDocumentAgentProfile(
  limits: AgentProfile<DocumentAgentServices>['limits'],
): AgentProfile<DocumentAgentServices> {
  return {
    name: 'document-agent',
    tools: documentAgentTools,
    limits,
    buildSystemPrompt: async ({ services, workingState, mentions }) =>
      documentAgentSystemPrompt({
        document: services.document,
        ...(await readPages(services)),
        mentions: await findMentions(services, mentions),
        state: workingState,
      }),
  };
}

/** Read text does not change, so a turn's services read it once: a long document would cost every round otherwise. */
const readOnce = new WeakMap<DocumentAgentServices, readonly PageText[]>();

async function readPages(
  services: DocumentAgentServices,
): Promise<{ pages: readonly PageText[]; missingText?: string }> {
  const known = readOnce.get(services);
  if (known) return { pages: known };
  const pages = await services.documents.text(services.document.id);
  if (pages.length > 0) {
    readOnce.set(services, pages);
    return { pages };
  }
  const { state, state_error } = await services.documents.get(services.document.id);
  return { pages, missingText: state_error ? `state ${state}, ${state_error.message}` : `state ${state}.` };
}
