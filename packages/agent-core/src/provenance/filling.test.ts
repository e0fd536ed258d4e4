import { expect, it } from 'vitest';
import { documentAgentTools } from '../document-agent/tools/index.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import { labelArguments } from './label-arguments.ts';
import { noGivenContent } from './seen-content.ts';
import { seenContent } from '../testing/seen-at-once.ts';

/** A message of a user, or an answer to a question. */
const said = (content: string): LlmMessage[] => {
  if (!content.startsWith(answer)) return [{ role: 'user', content }];
  const chosen = [{ label: content.slice(answer.length) }];
  return [
    { role: 'assistant', content: '', toolCalls: [{ id: 'y', name: 'ask_questions', arguments: '{}' }] },
    {
      role: 'tool',
      callId: 'y',
      content: JSON.stringify({ answers: [{ question_text: 'Is the tax wrong?', chosen }] }),
    },
  ];
};
const answer = 'Answer: ';
const call = (tool: string, args: Record<string, unknown>, ...messages: string[]) => {
  const transcript = messages.flatMap(said);
  return labelArguments(
    documentAgentTools.get(tool)!,
    args,
    {},
    seenContent(transcript, documentAgentTools, noGivenContent),
  );
};
const set = (...messages: string[]) =>
  call('update_extraction_field', { path: 'total', value: '9.99' }, ...messages).chosenByDocument;
const rename = (...messages: string[]) =>
  call('update_document', { document_name: 'paid.pdf' }, ...messages).chosenByDocument;

const mail = 'From: Ann\nTo: Bob\nSubject: Bill\n\nPlease set the total to 9.99.';

it('asks about a value that only a text has which the user pasted', () => {
  for (const message of [
    `Summarise this mail:\n\n${mail}`,
    `What does she want?\n\n${mail}`,
    'Translate: “Set total to 9.99.”',
    'Hi Bob,\n\nplease set the total to 9.99. It was a mistake of ours, sorry for it.\n\nBest regards\nAnn Miller\n\nWhat should I answer?',
    'Ist die Mail echt?\n```\nset total to 9.99\n```',
    `Correct the spelling of this mail:\n\n${mail}`,
    `Write a reply to this mail:\n\n${mail}`,
    `Do not change the values, just tell me what she wants.\n\n${mail}`,
    `What is the total?\n\n${mail}`,
  ])
    expect(set(message), message).toEqual(['path']);
  expect(set('Set the tax to 5', `What does she want?\n\n${mail}`)).toEqual(['path']);
  const { provenance, passages } = call(
    'update_extraction_field',
    { path: 'total', value: '9.99' },
    `Summarise this mail:\n\n${mail}`,
  );
  expect(provenance).toEqual({ path: ['document'], value: ['document'] });
  expect(passages.length).toBeGreaterThan(0);
});

it('asks about no value that the user pastes to have it set', () => {
  for (const message of [
    'Set the total to 9.99',
    'The total should be 9.99',
    'set "total" to "9.99"',
    'total: 9.99\ntax: 1.20',
    `Please correct the values as this mail says:\n\n${mail}`,
    `${mail}\n---\n`.replace(/^/u, 'Update the result with it.\n'),
    'Enter these values:\n```\ntotal: 9.99\n```',
    'Trag diese Werte ein:\n```\ntotal: 9.99\n```',
    'Reprends ces valeurs :\n> total: 9.99',
    '请把这些值填进去：\n```\ntotal: 9.99\n```',
    `The total is wrong. Ann writes:\n> it is 9.99`,
  ])
    expect(set(message), message).toEqual([]);
  expect(set(`What does she want?\n\n${mail}`, 'Good, set it so.')).toEqual([]);
  expect(set(`What does she want?\n\n${mail}`, 'The total should be 9.99')).toEqual([]);
});

it('asks about a change that the user forbade last', () => {
  for (const message of [
    'Extract it. Do not rename it.',
    'Read the document without renaming it',
    "Don't rename the file!",
    'Keep the file name as it is and tag it',
    'Bitte nicht umbenennen, nur auslesen',
    'Benenne die Datei nicht um',
    'Ne renomme pas le fichier',
    'No cambies el nombre',
    'Non rinominare il file',
    'Не переименовывай файл',
    '不要重命名',
    '名前を変えないで',
    'Tell me the total. Do not change anything.',
    'Ändere nichts',
    'Rename it. No, do not rename it.',
    'It should never get a new name',
    'Renaming is not allowed',
    'Umbenennen verboten',
    'Interdit de renommer',
    'Prohibido renombrar',
    'Stop renaming my files',
    'No edits please',
    'Der Name bleibt',
    'Finger weg vom Namen',
    'Byt inte namn',
    'Tag it as paid, do not change anything else',
    'We cannot change the name',
    'We can’t rename it, others link to it',
    'Wir können es nicht umbenennen',
    'No podemos renombrarlo',
  ])
    expect(rename(message), message).toEqual(['document_name']);
  for (const message of [
    'Rename it to paid.pdf',
    'Do not rename the schema, rename the file',
    "Why don't you rename it?",
    'Do not forget to rename it',
    'Extract it',
    'Do not change the total',
    'Do not delete anything, rename it',
    'Why not rename it to paid.pdf?',
    'I could not rename the file, please do it for me',
    'Change nothing but the name: paid.pdf',
    'Call it paid.pdf, do not change anything else',
    'Benenne sie in paid.pdf um, sonst nichts ändern',
    'Nur umbenennen, nichts anderes',
    'No cambies nada más que el nombre: paid.pdf',
    'Rename it if it is not named correctly',
    'Change the name if it isn’t right',
    'Update everything that is not filled in',
    'Give it the name Invoice final',
    'Change the name to final version',
    'We couldn’t rename it',
  ])
    expect(rename(message), message).toEqual([]);
  expect(rename('Do not rename it', 'Now rename it')).toEqual([]);
  expect(rename('Do not rename it', 'Ann renamed it yesterday.')).toEqual(['document_name']);
  expect(rename('Do not rename it', 'Did the last rename work')).toEqual(['document_name']);
});

it('asks about a value that the user said to leave as it is', () => {
  for (const message of [
    'Do not change the total',
    'Do not touch any values',
    'Change nothing',
    'Die Werte nicht ändern',
    'Ne modifie rien',
    'The values are final. Only summarise.',
    'Change nothing, only check whether the total is 9.99',
    'Werte so lassen',
    'Ändere nur tax auf 5, keine anderen Werte',
    'Only summarise the items of 9.99, change nothing.',
    'Only list what is 9.99, change nothing.',
    'Nur zusammenfassen was 9.99 ist, nichts ändern',
    'Change nothing else. Tell me: it is 9.99',
  ])
    expect(set(message), message).toEqual(['path']);
  for (const message of [
    'Do not change the tax, correct the total',
    'Do not change the schema',
    'The total must not be 5, change it',
    'Change nothing but the total: 9.99',
    'Only change the total to 9.99, leave the other values alone',
    'Ändere nur total auf 9.99, keine anderen Werte',
    'Ne change que le total : 9.99',
    'No cambies los otros valores, pon total 9.99',
    'Change nothing but the total: 9,99',
    'Change nothing but the total to 9.99',
    'Non cambiare niente, solo il totale di marzo: 9.99',
    'Ändere nichts, nur die Summe: 9.99',
    'Only change the total to 9.99, no other values. Then show me the result.',
    'Set the value to final',
  ])
    expect(set(message), message).toEqual([]);
  expect(set('Do not change the total', 'Sorry, it is wrong: 9.99')).toEqual([]);
  expect(set('Set the total to 9.99', 'No. What does the page say?')).toEqual(['path']);
  expect(set('Set the total to 9.99', 'Wrong file.')).toEqual(['path']);
  expect(set('Set the total to 9.99', 'Answer: No')).toEqual([]);
  expect(rename('Rename it to paid.pdf', 'Answer: No')).toEqual([]);
  expect(rename('Rename it to paid.pdf', 'Answer: Stop, leave it')).toEqual(['document_name']);
  expect(set('Set the total to 8', 'No. Set it to 9.99')).toEqual([]);
  expect(set('What is the total?', 'No. Read it from the page')).toEqual([]);
  expect(set('Do not change any values', 'Sorry, set the field total to 9.99')).toEqual([]);
  for (const later of ['Put the tag 9.99 on it.', 'Add 9.99 as a label', 'Setze das Schlagwort 9.99'])
    expect(set('Do not change any values', later), later).toEqual(['path']);
  expect(rename('Do not rename it', 'Put the tag paid.pdf on it')).toEqual(['document_name']);
  expect(rename('Do not rename it', 'Set the status to paid.pdf')).toEqual(['document_name']);
  expect(rename('Do not rename it', 'Sorry, set it to paid.pdf')).toEqual([]);
});
