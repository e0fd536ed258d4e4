import type { CallDecision, ProposedCall, TurnAnswer } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../context/exit-codes.ts';
import { unlessInterrupted } from '../terminal/asker.ts';
import { printableLine } from '../terminal/terminal-text.ts';
import { cardLines, evaluationLine, indented } from './call-card.ts';
import { createPlanDraft, planStepsOf, findStep, type PlanDraft } from './plan-draft.ts';
import type { TurnPlace } from './run-turn.ts';

/** The user's reaction to a batch: decisions, leaving it pending, or stopping the turn. */
export type Decided = { approvals: CallDecision[] } | 'leave' | 'stop';

const keys = '[y]es  [n]o  [e]dit  [a]lways here  [s]how all  [q]uit: ';
const measurableKeys = '[y]es  [n]o  [m]easure  [e]dit  [a]lways here  [s]how all  [q]uit: ';
const planKeys = '[y]es  [n]o  [k] skip a step  [e]dit a step  [s]how all  [q]uit: ';
const planHelp = [
  '  y  run each step once, exactly as shown',
  '  n  reject the plan; the agent reads the reason',
  '  k  skip a step and the steps that need its result, or restore it',
  '  e  change the arguments of a step',
  '  s  show it in full',
  '  x  stop the turn; pending calls are rejected',
  '  q  exit and leave the turn pending',
];
const keyHelp = [
  '  y  run it',
  '  m  measure a changed prompt or schema on verified documents',
  '  n  reject it; the agent reads the reason',
  '  e  change its arguments, then run it',
  '  a  run it, and allow this tool on this document from now on',
  '  s  show it in full',
  '  x  stop the turn; pending calls are rejected',
  '  q  exit and leave the turn pending',
];

/** Shows each pending call and asks for a decision. */
export async function decideCalls(
  context: CommandContext,
  place: TurnPlace,
  { tool_calls, turn_id }: TurnAnswer,
): Promise<Decided> {
  const waiting = tool_calls.filter(({ needs_approval }) => needs_approval);
  const approvals: CallDecision[] = [];
  for (const [at, call] of waiting.entries()) {
    const title = waiting.length === 1 ? 'asks for approval' : `asks for approval, ${at + 1} of ${waiting.length}`;
    showCard(context, call, title, false);
    const decision = await decideCall(context, call, title, () => measure(context, place, turn_id, call));
    if (typeof decision === 'string') return decision;
    approvals.push(decision);
  }
  return { approvals };
}

async function decideCall(
  context: CommandContext,
  call: ProposedCall,
  title: string,
  measureCall: () => Promise<string | undefined>,
): Promise<CallDecision | 'leave' | 'stop'> {
  const { asker, output } = context;
  const call_id = call.id;
  const steps = planStepsOf(call);
  const draft = steps && createPlanDraft(steps);
  const isMeasurable = call.preview?.kind === 'difference' && (call.preview.evaluation?.verified_documents ?? 0) > 0;
  let evaluation_id: string | undefined;
  for (;;) {
    const answer = await unlessInterrupted(
      asker.askDiscardingInput(draft ? planKeys : isMeasurable ? measurableKeys : keys),
    );
    if (answer === undefined) return 'leave';
    switch (answer.trim().toLowerCase()) {
      case 'y':
      case 'yes':
        return {
          call_id,
          approved: true,
          ...(draft?.decisions() && { steps: draft.decisions() }),
          ...(evaluation_id !== undefined && { evaluation_id }),
        };
      case 'k':
      case 'skip':
        if (draft) await changeStep(context, draft, skipStep);
        else output.note(keyHelp.join('\n'));
        break;
      case 'm':
      case 'measure':
        if (isMeasurable) evaluation_id = await measureCall();
        else output.note('There are no verified documents to measure it on.');
        break;
      case 'a':
      case 'always':
        if (draft) {
          output.note(planHelp.join('\n'));
          break;
        }
        return { call_id, approved: true, remember: 'document' };
      case 'n':
      case 'no': {
        const reason = (await unlessInterrupted(asker.ask('Why not? (Enter for no reason) ')))?.trim() ?? '';
        return { call_id, approved: false, ...(reason !== '' && { reason }) };
      }
      case 'e':
      case 'edit': {
        if (draft) {
          await changeStep(context, draft, editStep);
          break;
        }
        const edited = await editArguments(context, call);
        if (edited !== undefined) return { call_id, approved: true, arguments: edited };
        break;
      }
      case 's':
      case 'show':
        showCard(context, call, title, true);
        break;
      case 'x':
      case 'stop':
        return 'stop';
      case 'q':
      case 'quit':
        return 'leave';
      default:
        output.note((draft ? planHelp : keyHelp).join('\n'));
    }
  }
}

/** Asks for a step, changes it, and shows the steps that an approval would grant. */
async function changeStep(
  context: CommandContext,
  draft: PlanDraft,
  change: (context: CommandContext, draft: PlanDraft, id: string) => Promise<void>,
): Promise<void> {
  const { asker, output } = context;
  const wanted = (await unlessInterrupted(asker.ask(`Which step, 1 to ${draft.steps.length}? `)))?.trim() ?? '';
  if (wanted === '') return;
  try {
    await change(context, draft, findStep(draft.steps, wanted).id);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.note(output.style('red', error.message));
    return;
  }
  for (const [at, { id, summary }] of draft.steps.entries()) {
    const mark = draft.isSkipped(id) ? 'skipped' : '';
    output.note(`  ${at + 1}. ${printableLine(summary)}${mark === '' ? '' : `  ${output.style('yellow', mark)}`}`);
  }
  const left = draft.remainingCount();
  output.note(
    left === 0 ? 'All steps are skipped. Press n to reject the plan.' : `y approves ${left} of ${draft.steps.length}.`,
  );
}

async function skipStep({ output }: CommandContext, draft: PlanDraft, id: string): Promise<void> {
  if (draft.isSkipped(id)) {
    draft.restore(id);
    return;
  }
  const others = draft.skip(id).map((each) => draft.steps.findIndex((step) => step.id === each) + 1);
  if (others.length > 0) output.note(`Also skipped, because they need its result: ${others.join(', ')}.`);
}

async function editStep(context: CommandContext, draft: PlanDraft, id: string): Promise<void> {
  const edited = await editArguments(context, { arguments: draft.argumentsOf(id) });
  if (edited !== undefined) draft.edit(id, edited);
}

/** Measures a call on verified documents and prints the result. Returns the id of a completed evaluation. */
async function measure(
  { output, signal }: CommandContext,
  { client, documentId }: TurnPlace,
  turnId: string,
  call: ProposedCall,
): Promise<string | undefined> {
  try {
    const { id } = await client.chat.evaluate(documentId, turnId, call.id, {}, { signal });
    output.note('Measuring…');
    const ended = await client.evaluations.wait(id, { signal });
    output.note(evaluationLine(ended, output));
    return ended.state === 'completed' ? id : undefined;
  } catch (error) {
    if (!(error instanceof DocwrightError)) throw error;
    output.note(output.style('red', printableLine(error.message)));
    return undefined;
  }
}

/** The changed arguments as JSON; undefined when they were not changed. */
async function editArguments(
  { asker, output }: CommandContext,
  call: Pick<ProposedCall, 'arguments'>,
): Promise<string | undefined> {
  const before = indented(call.arguments);
  const edited = asker.isTerminal ? await asker.edit(before) : undefined;
  const text = edited ?? (await asker.ask('The arguments as JSON on one line (set EDITOR to use an editor): '));
  if (text === undefined || text.trim() === '' || text.trim() === before.trim()) {
    output.note('Nothing was changed.');
    return undefined;
  }
  const { parseJsonWithDigits } = await import('@docwright/contract');
  try {
    return JSON.stringify(parseJsonWithDigits(text));
  } catch (error) {
    output.note(`That is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function showCard({ output }: CommandContext, call: ProposedCall, title: string, everything: boolean): void {
  for (const line of cardLines(call, output, { place: title, everything })) output.note(line);
}
