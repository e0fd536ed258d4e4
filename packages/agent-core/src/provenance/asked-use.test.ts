import { describe, expect, it } from 'vitest';
import { documentAgentTools } from '../document-agent/tools/index.ts';
import { labelArguments } from './label-arguments.ts';
import { noGivenContent } from './seen-content.ts';
import { seenContent } from '../testing/seen-at-once.ts';

const id = '64a0c0ffee64a0c0ffee0003';

/** What a document has chosen of a call after this message of a user. */
function chosen(tool: string, args: Record<string, unknown>, said: string): readonly string[] {
  const documentTexts = [{ text: 'Statement 7', place: { found_in: 'page' as const, page_num: 1 } }];
  const content = seenContent([{ role: 'user', content: said }], documentAgentTools, {
    ...noGivenContent,
    documentTexts,
  });
  return labelArguments(documentAgentTools.get(tool)!, args, {}, content).chosenByDocument;
}

const readingOnlyMentioned = [
  'What does Mr Lee owe?',
  'Lee, the carrier, owes how much?',
  'I have read it, what is the total?',
  'You read the total wrong.',
  'Who will read and process it?',
  'What is the processing fee?',
  'what is the process',
  'Process fees?',
  'Handling and setup: how much?',
  'They said: process it',
  'We process these weekly',
  'Can they process it?',
  '这份分析是谁写的？',
  'Where did they get the data from?',
  'Ist es leer?',
  'Lies das nicht.',
  'Do not, at any price, process it.',
  'Сколько стоит обработка?',
  'Я прочитал это, какая сумма?',
  'Не обрабатывай это, не прочитай это',
  '处理费是多少',
  '不要处理这个文档',
  'Το διάβασα',
];
const readingAsked = [
  'Process it',
  'Could you please read this letter?',
  'Read it, what is the total?',
  'I want you to process these invoices.',
  'It is new: set it up and process it.',
  'Lee este documento',
  'Lis-moi ce document, s’il te plaît',
  'Lies das bitte',
  'Bitte lesen',
  'Process again please',
  'Read again',
  'Bitte das Dokument verarbeiten',
  'Por favor, leer este documento',
  'Leggi il documento',
  'Обработай документ',
  'ΔΙΑΒΑΣΕ ΑΥΤΟ',
  'Αναλυσε το έγγραφο',
  'Διάβασέ το'.normalize('NFD'),
  'Прочитай это'.normalize('NFD'),
  'データを分析して'.normalize('NFD'),
  '분석해 줘'.normalize('NFD'),
  'اِقْرَأ هذا',
];
const releaseOnlyMentioned = [
  'Is this a public company?',
  'Who sends these invoices?',
  'Has the manager approved it?',
  'Should I release it?',
  'release date',
  'What is the result?',
  'Do not release it.',
  'Don’t publish this',
  'Gib es nicht frei',
  'N’approuve pas ce document',
  'No lo publiques, no publica esto',
  'Утвердил ли это директор?',
  'Не публикуй это',
  '经理批准了吗？',
  '公開会社ですか',
];
const releaseAsked = [
  'Please release the result',
  'Publie ce document',
  'Опубликуй это',
  '发布它',
  'Can you send it off?',
];

describe('an argument that a document chose', () => {
  it.each([
    ['run_extraction', readingOnlyMentioned],
    ['release_result', releaseOnlyMentioned],
  ])('is the prompt of %s if the user only mentions what it does', (tool, sentences) => {
    const args = { prompt_revid: id, ...(tool === 'release_result' && { version: 1 }) };
    const unasked = sentences.filter((said) => chosen(tool, args, said).length === 0);
    expect(unasked).toEqual([]);
  });

  it.each([
    ['run_extraction', readingAsked],
    ['release_result', releaseAsked],
  ])('is not the prompt of %s if the user asks for what it does', (tool, sentences) => {
    const args = { prompt_revid: id, ...(tool === 'release_result' && { version: 1 }) };
    const refused = sentences.filter((said) => chosen(tool, args, said).length > 0);
    expect(refused).toEqual([]);
  });

  it('is a tag if the user only says categorically', () => {
    for (const said of [
      'Он категорически против?',
      'Does he categorically refuse?',
      'Lehnt er kategorisch ab?',
      'Αρνείται κατηγορηματικά;',
    ]) {
      const chosenOf = chosen('update_document', { add_tag_ids: [id] }, said);
      expect([said, chosenOf]).toEqual([said, ['add_tag_ids.0', 'add_tag_ids']]);
    }
  });
});
