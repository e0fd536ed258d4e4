import { DomainError } from '@docwright/contract';
import type { AgentProfile } from '../loop/agent-profile.ts';
import type { PageText } from './context/document-block.ts';
import { findMentions } from './context/mention.ts';
import type { DocumentAgentServices } from './context/services.ts';
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
  try {
    return await readFresh(services);
  } catch (error) {
    // The turn may have deleted its own document, and goes on to say so.
    if (error instanceof DomainError && error.kind === 'not_found')
      return { pages: [], missingText: 'it was deleted.' };
    throw error;
  }
}

async function readFresh(
  services: DocumentAgentServices,
): Promise<{ pages: readonly PageText[]; missingText?: string }> {
  const pages = await services.documents.text(services.document.id);
  if (pages.length > 0) {
    readOnce.set(services, pages);
    return { pages };
  }
  const { state, state_error } = await services.documents.get(services.document.id);
  return { pages, missingText: state_error ? `state ${state}, ${state_error.message}` : `state ${state}.` };
}
