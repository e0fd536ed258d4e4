/** The names in `due date, "VAT id" and the order number`, without quotes, articles and the word field. */
export function namesIn(list: string): string[] {
  const parts = list.split(/\s*(?:,|;|\band\b|\bplus\b|\bund\b|\bet\b|&)\s*/iu);
  return parts.map(bareName).filter((name) => name !== '');
}

/** One name without quotes, article, final period, and words such as `field` or `tag`. */
export function bareName(name: string): string {
  return name
    .trim()
    .replace(
      /^(?:(?:also|please|as well|a|an|the|my|our|new|another|one|more|field|column|property|called|named|for|das|die|der|den|ein|eine|feld|le|la|un|une|champ)\s+)+/iu,
      '',
    )
    .replace(/\s+(?:fields?|columns?|propert(?:y|ies)|tags?|feld(?:er)?|champs?|as well|too|please)\s*$/iu, '')
    .replace(/^["“'„«‘`]+|["”'“»’`]+$|[.!?]+$/gu, '')
    .replace(/^["“'„«‘`]+|["”'“»’`]+$/gu, '')
    .trim();
}
