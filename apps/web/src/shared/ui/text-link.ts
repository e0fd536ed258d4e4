/** Classes of a link within a text. */
export const textLinkClass = 'rounded-sm text-accent underline underline-offset-2';
