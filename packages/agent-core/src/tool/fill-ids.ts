/** Describes an id that a model may leave out; it does not see it. */
export const filledIn = 'Filled in when left out.';

/** Gives an id to each item that has none, counting up past those that are taken. */
export function fillIds<Item extends { id?: string | undefined }>(
  items: Item[],
  prefix: string,
): (Item & { id: string })[] {
  const taken = new Set(items.map(({ id }) => id));
  let number = 0;
  return items.map((item) => {
    if (item.id !== undefined) return { ...item, id: item.id };
    do number += 1;
    while (taken.has(`${prefix}_${number}`));
    return { ...item, id: `${prefix}_${number}` };
  });
}
