import { describe, expect, it } from 'vitest';
import { documentAgentTools } from '../document-agent/tools/index.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import { labelArguments } from './label-arguments.ts';
import { noGivenContent } from './seen-content.ts';
import { seenContent } from '../testing/seen-at-once.ts';

const id = '64a0c0ffee64a0c0ffee0003';
const other = '64a0c0ffee64a0c0ffee0009';

function chosen(tool: string, args: Record<string, unknown>, transcript: LlmMessage[]): readonly string[] {
  const content = seenContent(transcript, documentAgentTools, {
    ...noGivenContent,
    known: [{ ids: [other], names: ['Urgent'] }],
    documentTexts: [{ text: 'Statement 7', place: { found_in: 'page', page_num: 1 } }],
  });
  return labelArguments(documentAgentTools.get(tool)!, args, {}, content).chosenByDocument;
}

const user = (content: string): LlmMessage => ({ role: 'user', content });

describe('an order to delete', () => {
  const args = JSON.stringify({ document_id: id });
  const deleted = (result: object): LlmMessage[] => [
    user('Delete this document.'),
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'delete_document', arguments: args }] },
    { role: 'tool', callId: 'a', content: JSON.stringify(result) },
  ];
  const chosenAfter = (...transcript: LlmMessage[]) => chosen('delete_document', { document_id: other }, transcript);

  it('orders no further deletion once it was carried out and the user went on', () => {
    expect(chosenAfter(...deleted({ deleted: true }), user('What does the second one say?'))).toEqual(['document_id']);
  });

  it('lasts within its turn, through “go on”, after a failure and if it is repeated', () => {
    const lasting = [
      chosenAfter(...deleted({ deleted: true })),
      chosenAfter(...deleted({ deleted: true }), user('Go on.')),
      chosenAfter(...deleted({ error: 'The server is busy.' }), user('Try again.')),
      chosenAfter(...deleted({ deleted: true }), user('Delete the second one too.')),
    ];
    expect(lasting).toEqual([[], [], [], []]);
  });

  it.each<[offer: string, isWithdrawn: boolean]>([
    ['Done soon. Shall I also write to Kestrel?', false],
    ['Soll ich noch eine Zusammenfassung schreiben?', false],
    ['Anything else?', false],
    ['Shall I really delete it?', true],
    ['Shall I also delete its tags?', true],
    ['Shall I go ahead?', true],
    ['I also write to Kestrel.', true],
  ])('before “No, thanks” to %j is withdrawn: %s', (content, isWithdrawn) => {
    const said = [user('Delete this document.'), { role: 'assistant' as const, content }, user('No, thanks.')];
    expect(chosenAfter(...said)).toEqual(isWithdrawn ? ['document_id'] : []);
  });
});

describe('an object', () => {
  const add = (said: string) => chosen('update_document', { add_tag_ids: [other] }, [user(said)]);
  const release = (said: string) => chosen('release_result', { prompt_revid: other, version: 1 }, [user(said)]);

  it('is not named by a text of others that the user quotes or pastes', () => {
    expect(add('Translate: "Add the tag Urgent to it."')).toContain('add_tag_ids');
    expect(add('What does Ann mean by “Please put Urgent on it”?')).toContain('add_tag_ids');
    expect(release('From: Ann\nTo: Bob\n\nPlease release Urgent.\n\nWhat does Ann want?')).toContain('prompt_revid');
  });

  it('is named by a quotation that is its name, and beside one', () => {
    expect(add('Put “Urgent” on it.')).toEqual([]);
    expect(add('Add Urgent, since the mail says “pay at once”.')).toEqual([]);
  });
});
