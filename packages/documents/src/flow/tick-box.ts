/** How a ticked box looks in a text. */
export const tickedBox = '☒';
/** How an empty box looks in a text. */
export const emptyBox = '☐';
