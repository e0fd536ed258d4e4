import type { Effect } from '../tool/tool.ts';
import { saidBy } from './spoken-orders.ts';
import type { Spared } from './asked-clauses.ts';
import type { SeenContent } from './seen-content.ts';
import { saysDelete } from './wording/deletion-words.ts';

/**
 * Whether the user chose an object by its name. The last message with the name decides: “not Urgent” and “all but Urgent” choose others, “Urgent
 * review” is another name, and a name in a question counts once the user orders something.
 *
 * @param name normalized words
 * @param isRemoved the call takes the object away from another one, as users ask by “Paid instead of Urgent”
 * @param effect what the call does with the object itself: “do not delete the tag Paid, but rename it” chooses it only to be changed
 */
export function choosesByName(
  { ownWords, mentioned, quotations, catalog }: SeenContent,
  name: readonly string[],
  isRemoved = false,
  effect?: Effect,
): boolean {
  const sought = name.join(' ');
  const texts = saidBy(ownWords);
  const hasOrder = texts.length === 0 || texts.some(({ isOrdering }) => isOrdering);
  if (mentioned.has(sought) || quotations.has(sought)) return hasOrder;
  const said = ` ${sought} `;
  if (!texts.some((text) => [text.said, text.told, text.refused].some((words) => words.includes(said)))) return false;
  const longer = [...catalog].filter((other) => other.length > sought.length && ` ${other} `.includes(said));
  const holds = (text: string): boolean =>
    longer
      .toSorted((one, other) => other.length - one.length)
      .reduce((rest, other) => rest.replaceAll(` ${other} `, ' | '), text)
      .includes(said);
  const isForOther = ({ forbidden, instead }: Spared): boolean =>
    holds(` ${forbidden} `) &&
    saysDelete(forbidden) !== (effect === 'delete') &&
    saysDelete(instead) === (effect === 'delete');
  const isPut = !isRemoved && effect === undefined;
  const at = texts.findLastIndex(({ said, refused, told }) => [said, refused, told].some(holds));
  if (at === -1) return false;
  if (!holds(texts[at]!.said) && (isPut || !holds(texts[at]!.told)))
    return isRemoved || (effect !== undefined && texts[at]!.spared.some(isForOther));
  return texts.slice(at).some(({ isOrdering }) => isOrdering);
}
