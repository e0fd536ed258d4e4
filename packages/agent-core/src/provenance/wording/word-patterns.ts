/** A part of a pattern: one of these words. */
export const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/u).join('|')})`;

/** One of these words as a whole, in words divided by single spaces. */
export const wholeWord = (words: string): RegExp => new RegExp(`(?:^| )${anyOf(words)}(?= |$)`, 'u');

/** What can precede an imperative in its clause. */
export const lead = `(?:(?:please|kindly|now|then|just|also|so|but|ok|okay|yes|hi|hello|first|finally|again|go ahead|let us|let s|lets|(?:can|could|would) you|(?:i|we) (?:want|need|d like|would like)(?: you)? to|bitte|jetzt|dann|mal|auch|ja|(?:kannst|konntest) du|konnen sie|konnten sie|veuillez|tu peux|peux tu|pouvez vous|pourrais tu|pourriez vous|s il te plait|s il vous plait|svp|merci de|maintenant|por favor|puedes|puede|podrias|ahora|per favore|puoi|potresti|ora|pode|podes|agora|kun je|kunt u|graag|nu) )*`;

/** Names of other objects than values: “put the tag Paid on it”. Fields are none: “set the field total”. */
export const otherThings =
  /(?<!\p{L})(?:schemas?|esquemas?|prompts?|tags?|labels?|schlagw\p{L}*|etiket\p{L}*|etikett\p{L}*|etiquet\p{L}*|etichett\p{L}*|categor\p{L}*|kategor\p{L}*|тег\p{L}*)(?!\p{L})/u;
