const lettersOnly = /^[^\d@]{2,60}$/u;
const hasDigit = /\d/u;

/** The required form of a value, by the meaning of its caption. Other captions allow any text. */
const requiredForms: Readonly<Record<string, RegExp>> = {
  first_name: lettersOnly,
  last_name: lettersOnly,
  full_name: lettersOnly,
  emergency_contact: /\p{L}{2}/u,
  city: lettersOnly,
  nationality: lettersOnly,
  marital_status: lettersOnly,
  gender: lettersOnly,
  occupation: lettersOnly,
  postal_code: /^(?=.*\d)[\p{L}\d -]{3,10}$/u,
  phone: /(?:\d[\s()/.+-]*){5}/u,
  email: /\S@\S/u,
  policy_number: hasDigit,
  license_plate: hasDigit,
};
/** Its last word is no abbreviation, such as `et al.`. */
const sentence = /\p{L}+(?:[\s,]+\p{L}+){2,}[\s,]+\p{L}{4,}\.$/u;

/** Whether a text can be the value of a caption. A sentence is an explanation and never a value. */
export function isPlausible(meaning: string | undefined, text: string): boolean {
  if (sentence.test(text)) return false;
  const form = meaning === undefined ? undefined : requiredForms[meaning];
  return form?.test(text) ?? true;
}
