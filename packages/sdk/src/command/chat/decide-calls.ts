import type { CallDecision, ProposedCall, TurnAnswer } from '@docwright/contract';
import { AskInterrupted } from '../asker.ts';
import type { CommandContext } from '../context.ts';
import { cardLines, indented } from './call-card.ts';

/** The user's reaction to a batch: decisions, leaving it pending, or stopping the turn. */
export type Decided = { approvals: CallDecision[] } | 'leave' | 'stop';

const keys = '[y]es  [n]o  [e]dit  [a]lways here  [s]how all  [q]uit: ';
const keyHelp = [
  '  y  run it',
  '  n  reject it; the agent reads the reason',
  '  e  change its arguments, then run it',
  '  a  run it, and allow this tool on this document from now on',
  '  s  show it in full',
  '  x  stop the turn; all that waits is rejected',
  '  q  leave it waiting and end here',
];

/** Shows each pending call and asks for a decision. */
export async function decideCalls(context: CommandContext, { tool_calls }: TurnAnswer): Promise<Decided> {
  const waiting = tool_calls.filter(({ needs_approval }) => needs_approval);
  const approvals: CallDecision[] = [];
  for (const [at, call] of waiting.entries()) {
    const place = waiting.length === 1 ? 'asks for approval' : `asks for approval, ${at + 1} of ${waiting.length}`;
    show(context, call, place, false);
    const decision = await decideCall(context, call, place);
    if (typeof decision === 'string') return decision;
    approvals.push(decision);
  }
  return { approvals };
}

async function decideCall(
  context: CommandContext,
  call: ProposedCall,
  place: string,
): Promise<CallDecision | 'leave' | 'stop'> {
  const call_id = call.id;
  for (;;) {
    const answer = await ask(context, keys, true);
    if (answer === undefined) return 'leave';
    switch (answer.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return { call_id, approved: true };
      case 'a':
      case 'always':
        return { call_id, approved: true, remember: 'document' };
      case 'n':
      case 'no': {
        const reason = (await ask(context, 'Why not? (Enter for no reason) '))?.trim() ?? '';
        return { call_id, approved: false, ...(reason !== '' && { reason }) };
      }
      case 'e':
      case 'edit': {
        const edited = await editArguments(context, call);
        if (edited !== undefined) return { call_id, approved: true, arguments: edited };
        break;
      }
      case 's':
      case 'show':
        show(context, call, place, true);
        break;
      case 'x':
      case 'stop':
        return 'stop';
      case 'q':
      case 'quit':
        return 'leave';
      default:
        context.output.note(keyHelp.join('\n'));
    }
  }
}

/** The changed arguments as JSON; undefined when they were not changed. */
async function editArguments({ asker, output }: CommandContext, call: ProposedCall): Promise<string | undefined> {
  const before = indented(call.arguments);
  const edited = asker.isTerminal ? await asker.edit(before) : undefined;
  const text = edited ?? (await asker.ask('The arguments as JSON on one line (set EDITOR for more room): '));
  if (text === undefined || text.trim() === '' || text.trim() === before.trim()) {
    output.note('Nothing was changed.');
    return undefined;
  }
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (error) {
    output.note(`That is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function ask({ asker }: CommandContext, prompt: string, afresh = false): Promise<string | undefined> {
  try {
    return await (afresh ? asker.askAfresh(prompt) : asker.ask(prompt));
  } catch (error) {
    if (error instanceof AskInterrupted) return undefined;
    throw error;
  }
}

function show({ output }: CommandContext, call: ProposedCall, place: string, everything: boolean): void {
  for (const line of cardLines(call, output, { place, everything })) output.note(line);
}
