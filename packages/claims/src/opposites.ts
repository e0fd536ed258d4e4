import { fold } from './fold.ts';

/** Words of opposite meaning, in each language that answers are often written in. */
const pairs: readonly (readonly [string, string])[] = [
  ['before vor bevor vorher avant antes', 'after nach nachdem danach apres despues'],
  ['earliest fruhestens fruheste fruhesten', 'latest spatestens spateste spatesten'],
  ['least minimum mindestens wenigstens minimal', 'most maximum hochstens maximal'],
  [
    'begins begin began starts started commences beginnt begann debute empieza comienza',
    'ends ended expires expired endet endete termine expire termina vence acaba',
  ],
  [
    'first erste ersten erster premier premiere primer primero primera',
    'last letzte letzten letzter dernier derniere ultimo ultima',
  ],
  [
    'increases increased increase rises raised steigt erhoht erhohung augmente hausse aumenta sube',
    'decreases decreased decrease falls reduced lowered sinkt senkt gesenkt diminue baisse reduit disminuye baja',
  ],
  ['higher hoher hohere superieur superieure', 'lower niedriger niedrigere inferieur inferieure'],
  ['gross brutto brut bruto', 'net netto neto'],
  [
    'required mandatory obligatory verpflichtend obligatoire obligatorio obligatoria',
    'optional voluntary freiwillig facultatif facultative opcional',
  ],
  [
    'tenant lessee mieter mieterin locataire preneur inquilino arrendatario',
    'landlord lessor vermieter vermieterin bailleur proprietaire arrendador casero',
  ],
  ['buyer purchaser kaufer kauferin acheteur comprador', 'seller verkaufer verkauferin vendeur vendedor'],
  ['employer arbeitgeber employeur empleador', 'employee arbeitnehmer salarie employe empleado trabajador'],
  [
    'customer client kunde kundin auftraggeber cliente',
    'supplier provider contractor lieferant anbieter auftragnehmer fournisseur prestataire proveedor',
  ],
  ['creditor glaubiger creancier acreedor', 'debtor schuldner debiteur deudor'],
  ['lender darlehensgeber preteur prestamista', 'borrower darlehensnehmer emprunteur prestatario'],
  ['inside indoors innerhalb', 'outside outdoors ausserhalb dehors fuera'],
];
const sides = pairs.map((pair) => pair.map((words) => new Set(words.split(' '))) as [Set<string>, Set<string>]);

/** “Outside of the EU” says something that “in the EU” does not, although few words differ. */
const mustStand = new Set('outside ausserhalb dehors fuera'.split(' '));

/** Words that deny without a “not”: “flood is excluded” for “flood is not covered”. */
const denials = new Set(
  (
    'excluded forbidden prohibited ausgeschlossen verboten untersagt unzulassig ' +
    'exclu exclue exclus exclues interdit interdite interdits interdites excluido excluida excluidos excluidas prohibido prohibida'
  ).split(' '),
);

/** Whether a folded word denies. */
export const denies = (word: string): boolean => denials.has(word);

/** Whether a sentence has a word where its source has the opposite alone. Both are folded words. */
export function contradicts(sentence: ReadonlySet<string>, source: ReadonlySet<string>): boolean {
  const has = (words: ReadonlySet<string>, side: ReadonlySet<string>) => [...side].some((word) => words.has(word));
  const isOpposite = (own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    has(sentence, own) && !has(sentence, other) && has(source, other) && !has(source, own);
  return (
    sides.some(([one, other]) => isOpposite(one, other) || isOpposite(other, one)) ||
    [...mustStand].some((word) => sentence.has(word) && !has(source, mustStand))
  );
}

/** The folded words of a text. */
export const foldedWords = (text: string): Set<string> => new Set(fold(text).match(/\p{L}+/gu) ?? []);
