const romance =
  /^(?:\d+\p{L}?(?:[ ,]+(?:bis|ter|quater))?[ ,]+)?(?:via|viale|corso|piazza|piazzale|piazzetta|largo|vicolo|strada|lungomare|calle|c\/|avda\.?|avenida|plaza|pza\.?|paseo|p[ºo]\.?|ronda|camino|carretera|ctra\.?|rua|travessa|rue|avenue|av\.|place|chemin|boulevard|bd\.?|quai|impasse|all[ée]e|cours|route|faubourg|passage)(?!\p{L})/iu;
const germanic =
  /(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee|ring|ufer|damm|markt|hof|steig|chaussee|straat|laan|plein|gracht|kade|dijk|singel)\s+\d+\s?\p{L}?(?:\s?[-–/]\s?\d+\p{L}?)?$/iu;
const english =
  /^\d+\p{L}?,? .*(?<!\p{L})(?:st|street|rd|road|ave|avenue|blvd|boulevard|lane|ln|drive|dr|way|square|sq|court|ct|place|pl|parkway|pkwy|highway|hwy|terrace|crescent|jalan|jl)(?!\p{L})/iu;

/**
 * Whether a text is a street with its number. Such a text is not a name.
 *
 * @example isStreet('Viale dei Mille 38') // true
 */
export function isStreet(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > 70 || !/\d/u.test(trimmed)) return false;
  return romance.test(trimmed) || germanic.test(trimmed) || english.test(trimmed);
}
