const lettersOnly = /^[^\d@]{2,60}$/u;
const hasDigit = /\d/u;

/** What a value must look like to be what a caption asks for; a caption that is not listed takes any text. */
const forms: Readonly<Record<string, RegExp>> = {
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
const sentence = /\p{L}+(?:[\s,]+\p{L}+){3,}\.$/u;

/** Whether a text can be the answer to a caption. A sentence is an explanation and never an answer. */
export function isPlausible(meaning: string | undefined, text: string): boolean {
  if (sentence.test(text)) return false;
  const form = meaning === undefined ? undefined : forms[meaning];
  return form?.test(text) ?? true;
}
