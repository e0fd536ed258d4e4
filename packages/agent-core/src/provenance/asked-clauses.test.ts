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
])('“%s” orders none', (message) => expect(ordersDeletion(message)).toBe(false));
