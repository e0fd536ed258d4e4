/** The description of an id that a model can omit. Parameters with this description are not sent to the model. */
export const filledInDescription = 'Optional: the server fills it in.';

/** Gives each item without an id the next free id, `<prefix>_<number>`. */
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
