import type { AppliedConversation, Uncertainty } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { CommandContext } from '../context/context.ts';
import { unlessInterrupted } from '../terminal/asker.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { uncertaintyLine } from './answer-printer.ts';
import type { SetupPlace } from './show-answer.ts';

/** Asks whether to apply the pipeline, and under which name. Returns `left` at the end of the input, undefined for “no”. */
export async function confirmApply(
  context: CommandContext,
  place: SetupPlace,
  proposedName: string,
): Promise<AppliedConversation | 'left' | undefined> {
  const line = await ask(context, `Apply it as “${printableLine(proposedName)}”? [y]es  [n]o  or another name: `);
  if (line === undefined) return 'left';
  const answer = line.trim();
  if (answer === '' || /^no?$/iu.test(answer)) return undefined;
  return await apply(context, place, /^y(es)?$/iu.test(answer) ? proposedName : answer);
}

/** Asks about the blocking uncertainties one by one. The user can also apply despite them. */
async function apply(
  context: CommandContext,
  { client, conversationId }: SetupPlace,
  collection_name: string,
): Promise<AppliedConversation | 'left' | undefined> {
  const { agentConversations } = client;
  const { signal } = context;
  for (;;) {
    try {
      return await agentConversations.apply(conversationId, { collection_name }, { signal });
    } catch (error) {
      if (!(error instanceof DocwrightError) || error.code !== 'blocking_uncertainty') throw error;
    }
    const { uncertainties } = await agentConversations.get(conversationId, { signal });
    const blocking = uncertainties.filter(({ severity, resolved }) => severity === 'blocking' && !resolved);
    for (const uncertainty of blocking) {
      const decided = await settle(context, uncertainty);
      if (decided === 'left' || decided === 'no') return decided === 'left' ? 'left' : undefined;
      if (decided === 'force') {
        return await agentConversations.apply(conversationId, { collection_name, force: true }, { signal });
      }
      await agentConversations.resolve(conversationId, uncertainty.id, decided.resolvedBy, { signal });
    }
  }
}

async function settle(
  context: CommandContext,
  uncertainty: Uncertainty,
): Promise<{ resolvedBy: string } | 'force' | 'no' | 'left'> {
  const { output } = context;
  output.note(uncertaintyLine(uncertainty, output.style));
  for (;;) {
    const line = await ask(context, '[r]esolved  [f]orce: apply despite all blocking uncertainties  [n]o: ');
    switch (line?.trim().toLowerCase()) {
      case undefined:
        return 'left';
      case 'r':
      case 'resolved': {
        const how = await ask(context, 'How was it resolved? (Enter: I confirm it) ');
        if (how === undefined) return 'left';
        return { resolvedBy: how.trim().slice(0, 200) || 'user_confirmed' };
      }
      case 'f':
      case 'force':
        return 'force';
      case 'n':
      case 'no':
        return 'no';
      default:
    }
  }
}

function ask({ asker }: CommandContext, prompt: string): Promise<string | undefined> {
  return unlessInterrupted(asker.askDiscardingInput(prompt));
}
