/** A run of text without a nested run. */
const run = /<w:r(?: [^>]*)?>(?:(?!<w:r[ >])[\s\S])*?<\/w:r>/g;
const text = /<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g;
const vanished = /<w:vanish(?: w:val="(?:1|true|on)")?\s*\/>/;
/** In half points. */
const tiny = /<w:sz w:val="1"\s*\/>/;
const white = /<w:color w:val="FFFFFF"/i;
const shaded = /<w:(?:shd [^>]*w:fill="(?!auto|FFFFFF)|highlight |background )/i;

/** Removes the hidden runs of a part of a Word document. Returns the part and the number of removed characters. */
export function keepVisibleRuns(xml: string): { xml: string; hiddenText: number } {
  // In a document without shading, white text is on white.
  const isWhiteHidden = !shaded.test(xml);
  let hiddenText = 0;
  const visible = xml.replace(run, (found) => {
    if (!vanished.test(found) && !tiny.test(found) && !(isWhiteHidden && white.test(found))) return found;
    for (const [, hidden = ''] of found.matchAll(text)) hiddenText += hidden.replace(/\s/g, '').length;
    return '';
  });
  return { xml: visible, hiddenText };
}
