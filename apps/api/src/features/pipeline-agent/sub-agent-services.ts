import {
  pipelineValidatorId,
  sourceAnalyzerId,
  type PipelineAgentServices,
  type PipelineTrial,
  type SourceFiles,
  type SubAgentModel,
} from '@docwright/agent-core';
import {
  DomainError,
  extensionsOf,
  type AgentMessageEvent,
  type Document,
  type SubAgentResult,
} from '@docwright/contract';
import type { Actor } from '../identity/index.ts';
import type { DryRunService } from '../pipelines/index.ts';
import { listPlugins, usualParsers } from '../plugins/index.ts';
import type { SourceService } from '../sources/index.ts';
import type { AgentConversationRepository } from './conversation-repository.ts';
import { conversationOrThrow, requireApplicable } from './conversation-service.ts';
import type { ConversationLease } from './conversation-lease-repository.ts';

export interface SubAgentDependencies {
  conversations: AgentConversationRepository;
  sources: (actor: Actor) => SourceService;
  dryRun: (actor: Actor) => DryRunService;
  documents: (actor: Actor) => {
    get(id: string): Promise<Document>;
    texts(id: string): Promise<{ text: string }[]>;
  };
  subAgentTimeoutMs: number;
}

export interface LeasedWork {
  actor: Actor;
  lease: ConversationLease;
  emit: (event: AgentMessageEvent) => void;
  model: SubAgentModel;
}

/** Composes the services of sub-agents for the leased conversation: its source and its proposal. */
export function subAgentServicesFor(
  { conversations, sources, dryRun, documents, subAgentTimeoutMs }: SubAgentDependencies,
  { actor, lease, emit, model }: LeasedWork,
): PipelineAgentServices['subAgents'] {
  const working = new Set<string>();
  const current = async () => conversationOrThrow(await conversations.get(actor, lease.id));
  const sourceId = async () => (await current()).source_id;
  const extensionOf = (mimeType: string) => extensionsOf(mimeType)[0] ?? mimeType;

  const source: SourceFiles = {
    kinds: async () =>
      (await sources(actor).totals(await sourceId())).map((total) => ({
        extension: extensionOf(total.mime_type),
        ...total,
      })),
    problems: async () => sources(actor).problems(await sourceId()),
    async sample(max) {
      const ids = await sources(actor).sample(await sourceId(), max);
      const sampled = await Promise.all(ids.map((id) => documents(actor).get(id)));
      return sampled.map(({ id, document_name, mime_type, page_count }) => ({
        document_id: id,
        name: document_name,
        extension: extensionOf(mime_type),
        pages: page_count,
      }));
    },
    async tryParser(id, pluginId, signal) {
      const singleParser = { parsers: [{ extensions: ['*'], plugin_id: pluginId }], chunker: { plugin_id: 'page' } };
      const [tried] = (await dryRun(actor)(singleParser, [id], signal)).documents;
      if (tried === undefined) return { success: false, reason: 'not_found', error: 'The document was deleted.' };
      if (tried.failure) return { success: false, reason: tried.failure.category, error: tried.failure.message };
      const text = tried.chunks.map((chunk) => chunk.text).join('\n');
      return { success: true, pages: tried.pages, characters: text.length, excerpt: text.slice(0, excerptCharacters) };
    },
    async text(id, maxCharacters) {
      const pages = await documents(actor).texts(id);
      return pages
        .map(({ text }) => text)
        .join('\n')
        .slice(0, maxCharacters);
    },
    parsers: () => listPlugins('parser'),
    usualParser: (extension) =>
      usualParsers.find(({ extensions }) => extensions.includes(extension))?.plugin_id ?? 'ocr',
  };

  const trial: PipelineTrial = {
    pipeline: async () => requireApplicable(await current(), true),
    sample: async (max) => sources(actor).sample(await sourceId(), max),
    dryRun: (pipeline, ids, signal, onProgress) => dryRun(actor)(pipeline, ids, signal, onProgress),
    before: async () => (await current()).validation,
    plugins: listPlugins,
  };

  /**
   * Stores a sub-agent's result. Open uncertainties are not added twice; a newly counted rate replaces the previous
   * one.
   */
  async function storeResult(agentId: string, { success, data, uncertainties }: SubAgentResult): Promise<void> {
    const { source_analysis, current_pipeline, uncertainties: known } = await current();
    if (agentId === sourceAnalyzerId && (success || source_analysis === null)) {
      await conversations.change(lease, { source_analysis: data });
    }
    const isCounted = agentId === pipelineValidatorId && data['tested'] !== 0;
    if (isCounted) await conversations.change(lease, { validation: { ...data, pipeline: current_pipeline } });
    const open = known.filter(({ resolved }) => !resolved);
    const outdated = isCounted ? open.filter(({ context }) => typeof context?.['counted'] === 'string') : [];
    for (const { id } of outdated) await conversations.resolve(actor, lease.id, id, 'validated_again');
    const remaining = open.filter((uncertainty) => !outdated.includes(uncertainty));
    const fresh = uncertainties.filter(
      (found) => !remaining.some(({ severity, message }) => severity === found.severity && message === found.message),
    );
    // It belongs to the validated pipeline, and is resolved when that is replaced.
    const marked = fresh.map((found) => ({ ...found, context: { ...found.context, found_by: agentId } }));
    for (const uncertainty of await conversations.addUncertainties(lease, marked))
      emit({ type: 'uncertainty', uncertainty });
  }

  return {
    source,
    trial,
    model,
    timeoutMs: subAgentTimeoutMs,
    async runAndStore(kind, run) {
      if (working.size >= maxConcurrent) {
        const message = `At most ${maxConcurrent} sub-agents work at the same time. Call it again when one has finished.`;
        throw new DomainError('invalid', 'too_many_sub_agents', message);
      }
      const agentId = uniqueName(kind, working);
      working.add(agentId);
      emit({ type: 'subagent_start', agent_id: agentId });
      let result: SubAgentResult | undefined;
      try {
        result = await run((step) => emit({ type: 'status', status: 'working', agent_id: agentId, ...step }));
        await storeResult(kind, result);
        return result;
      } finally {
        const { success, summary } = result ?? { success: false, summary: 'It ended before it was done.' };
        working.delete(agentId);
        emit({ type: 'subagent_end', agent_id: agentId, success, summary });
      }
    },
  };
}

const excerptCharacters = 600;
const maxConcurrent = 4;

/** Numbers concurrent sub-agents of one kind, so that their steps can be distinguished. */
function uniqueName(kind: string, taken: ReadonlySet<string>): string {
  let name = kind;
  for (let number = 2; taken.has(name); number += 1) name = `${kind}_${number}`;
  return name;
}
