import { fold } from './fold.ts';

/** How a sentence binds a number: the value itself, one near it, or a limit. */
export type Bound = 'exact' | 'about' | 'over' | 'at_least' | 'under' | 'at_most';

// Of two phrases that fit, the longer one comes first.
const phrases: readonly (readonly [Bound, string])[] = [
  [
    'at_least',
    'at least|no less than|not less than|minimum of|a minimum of|no fewer than|mindestens|wenigstens|nicht weniger als|au moins|pas moins de|au minimum|al menos|como minimo|por lo menos|no menos de|minstens|almeno|starting from',
  ],
  [
    'at_most',
    "at most|no more than|not more than|up to|maximum of|hochstens|maximal|bis zu|nicht mehr als|au plus|au maximum|pas plus de|a lo sumo|como maximo|no mas de|hasta|jusqu'a|maximaal",
  ],
  [
    'over',
    'more than|over|above|exceeds?|exceeding|exceeded|greater than|larger than|higher than|beyond|upwards of|mehr als|oberhalb von|grosser als|ubersteigt|ubersteigen|ubertrifft|gut|plus de|superieure?s? a|au-dessus de|depassent?|depasse|mas de|superior(?:es)? a|por encima de|superan?|meer dan|boven|piu di',
  ],
  ['over', 'after|later than|nach|apres|despues del?|after the|posterior(?:es)? al?|na'],
  // German “über” is “more than” and also “in the amount of”.
  ['at_least', 'uber|sobre'],
  [
    'at_least',
    'since|from|starting|as of|ab|seit|ab dem|seit dem|a partir du|a partir de|a partir del|depuis|depuis le|desde|desde el|vanaf|on or after',
  ],
  [
    'under',
    'less than|fewer than|under|below|smaller than|lower than|short of|weniger als|unter|unterhalb von|kleiner als|moins de|inferieure?s? a|en dessous de|menos de|inferior(?:es)? a|por debajo de|minder dan|onder|meno di',
  ],
  ['under', 'before|earlier than|prior to|vor|vor dem|avant|avant le|antes del?|anterior(?:es)? al?|voor'],
  [
    'at_most',
    'by|until|till|no later than|not later than|on or before|bis|bis zum|spatestens am|bis spatestens|au plus tard le|hasta el|a mas tardar el|tot',
  ],
  [
    'about',
    'about|around|approximately|approx\\.?|roughly|circa|ca\\.?|some|nearly|almost|close to|just under|just over|in the region of|etwa|ungefahr|rund|zirka|knapp|fast|nahezu|um die|environ|a peu pres|pres de|autour de|quelque|presque|aux alentours de|aproximadamente|unos|unas|alrededor de|cerca de|casi|en torno a|ongeveer|quasi|~|≈|±',
  ],
];
const fillers =
  "(?:(?:the|a|an|den|dem|der|die|le|la|les|el|los|las|l'|une?|un|una|sum|amount|of|it|is|was|only|einem|einer|einen|betrag|von|summe) ?){0,2}";
const patterns = phrases.map(
  ([bound, words]) => [bound, new RegExp(`(?:^|[^\\p{L}])(${words}) ?${fillers}[€$£¥₹(]* ?$`, 'u')] as const,
);

/** How the words right before a number bind it. */
export function boundBefore(before: string): Bound {
  const folded = ` ${fold(before.slice(-60))}${/\s$/u.test(before) ? ' ' : ''}`.replace(
    /(?:(?:[a-z]{3}|us\$|chf|eur) )$/u,
    (code) => (/^(?:eur|usd|gbp|chf|sek|nok|dkk|pln|jpy) $/u.test(code) ? '' : code),
  );
  let best: { bound: Bound; length: number } | undefined;
  for (const [bound, pattern] of patterns) {
    const found = pattern.exec(folded)?.[1];
    if (found !== undefined && found.length > (best?.length ?? 0)) best = { bound, length: found.length };
  }
  return best?.bound ?? 'exact';
}

/** How the words right behind a number bind it: “5,000 or more”. */
export function boundAfter(after: string): Bound | undefined {
  const folded = fold(after.slice(0, 40));
  if (/^[\p{L}€$£% ]{0,14}?\b(?:or more|oder mehr|ou plus|o mas|and above|plus)\b/u.test(folded)) return 'at_least';
  if (/^[\p{L}€$£% ]{0,14}?\b(?:or less|or fewer|oder weniger|ou moins|o menos)\b/u.test(folded)) return 'at_most';
  if (/^[\p{L}€$£% ]{0,10}?(?:or so\b|\(?approx|environ\b|aproximadamente|in etwa)/u.test(folded)) return 'about';
  return undefined;
}
