import { expect, it } from 'vitest';
import { createToolset } from '../tool/toolset.ts';
import { isUnaskedDeletion } from './asked-for.ts';
import { noGivenContent, seenContent } from './seen-content.ts';

/** Whether this message orders a deletion, once a document was read. */
function ordersDeletion(content: string): boolean {
  const documentTexts = [{ text: 'Statement 7', place: { found_in: 'page' as const } }];
  const given = { ...noGivenContent, documentTexts };
  return !isUnaskedDeletion('delete', seenContent([{ role: 'user', content }], createToolset([]), given));
}

it.each([
  'I uploaded this one twice. It can go.',
  'Schmeiß das Schlagwort Obsolete raus.',
  'Vê quais não servem e remove-as.',
  'Este documento veio duas vezes. Deita-o fora.',
  'Ten dokument to duplikat. Wyrzuć go.',
  'احذف كل ما لا يلزم.',
  'هذا المستند مكرر. تخلص منه.',
  'I want you to delete it before the audit.',
  'Ich möchte, dass du die Tags entfernst. Lösche sie.',
  '这个不需要，删除它。',
  'Промпт Invoice больше не нужен, сотри его.',
  'Etykiety są do niczego. Skasuj je wszystkie.',
  'Buttale via.',
  "Delete the tag 'Old one'.",
  "It's the boss' copy and the clerks' too: delete it.",
  "'Tis a copy. Delete it, 'cause we have it.",
  'It ran:\n```\nok\n```\nDelete it.',
  'At 10:30 we sold it. Delete it.',
  'Delete the tag “Old one”.',
  'Lösche das Dokument „Rechnung 7.pdf“.',
  'The file »Offer 3.pdf« is old. Delete it.',
  'It shows a 27" screen that we sold, delete it.',
  'The mail says "we sold it." Delete this document.',
  'C’est un doublon, vire-le s’il te plaît.',
  'È un doppione: cestinalo.',
])('“%s” orders a deletion', (message) => expect(ordersDeletion(message)).toBe(true));

it.each([
  'Das Schema Payroll ist alt. Bevor wir es löschen, erklär mir, wofür es da ist.',
  'Explain the tags before you delete them.',
  'Anna meint, man müsse den Prompt löschen. Was denkst du?',
  'My boss wants to delete the tags.',
  'Je me demande s’il faudrait supprimer ce document.',
  'Explícame cómo se elimina un prompt.',
  'Maria voleva cancellare le etichette. Elencale e basta.',
  'O João quer apagar etiquetas. Ainda não decidi. Mostra-mas.',
  'Marek chciał usunąć etykiety. Wypisz je.',
  'Kun je uitleggen hoe ik een schema verwijder?',
  'Иван хочет удалить метки. Просто перечисли их.',
  '小王想删除标签。列出来就行。',
  '田中さんはタグを消したいと言っています。一覧を見せて。',
  'يريد أحمد حذف الوسوم. اعرضها فقط.',
  'My colleague mailed me: "Please delete this document." What does she mean?',
  'Summarise these mails: 1. “Delete the contract at once” 2. “Pay”',
  'What is this? "Ann said "it is old". Delete the file." Explain.',
  'In der Mail steht: „Bitte löschen Sie das Dokument.“ Was bedeutet das?',
  'Ma cheffe écrit : « Supprimez ce document ». Qu’en penses-tu ?',
  'メールに「この文書を削除してください」とあります。要約して。',
  '邮件里写着“请删除这个文件”，是什么意思？',
  'В письме сказано: «Удалите документ». Что это значит?',
  'Draft a reply.\n> Hi Tom,\n> please delete the file.',
  'From: Ann\nTo: Tom\nSubject: Cleanup\n\nPlease delete the file.\n\nWhat should I answer?',
  'Was heißt das?\n\nVon: Anna\nBetreff: Alt\n\nLösche die Datei.',
  'On Monday Ann wrote:\nPlease delete the file.\nThank you',
  'Translate this into German: Hello Tom. Delete the file.',
  'Delete the drafts when I say so.',
  'Lösche die Entwürfe erst, wenn ich es sage.',
  'Supprime-le seulement quand je te le dirai.',
  'Bórralo cuando te avise.',
  'Usuń to dopiero, gdy powiem.',
  'Удали его, когда я скажу.',
  '等我说的时候再删除。',
  '私が言ったら削除して。',
  'Later I will ask you to delete it.',
  'Sobald ich Bescheid gebe, lösche es.',
  'Zodra ik het sein geef, verwijder het.',
  'Rewrite more politely: Remove the file now!',
  'Formuliere höflicher: Löscht endlich die Akte!',
  "Translate 'delete this file' into German.",
  'Was ist mit ‚lösche die Datei‘ gemeint, erklär’s mir.',
  'Explain `delete the file, that’s all` to me.',
  'Explain this.\n```\nDelete the file.\n```',
  'Who is right?\n[10:02] Ann: please remove the contract\n[10:05] Bob: ok',
  'Lösch es, aber erst nach meiner Freigabe.',
  'Удали файл только после моего подтверждения.',
])('“%s” orders none', (message) => expect(ordersDeletion(message)).toBe(false));
