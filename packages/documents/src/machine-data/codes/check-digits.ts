/** Whether an account number (IBAN) has the length of its kind and the right check digits (ISO 13616). */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/u.test(text) && isRemainderOne(text);
}

/** Whether a creditor reference (ISO 11649) has the right check digits. */
export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/u.test(text) && isRemainderOne(text);
}

/** ISO 7064, modulo 97: the first four characters are moved to the end, letters are numbers from 10. */
function isRemainderOne(text: string): boolean {
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/gu, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

const carries = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** Whether a Swiss QR reference has 27 digits, of which the last is right (modulo 10, recursive). */
export function isQrReference(text: string): boolean {
  if (!/^\d{27}$/u.test(text)) return false;
  let carry = 0;
  for (const digit of text.slice(0, -1)) carry = carries[(carry + Number(digit)) % 10]!;
  return (10 - carry) % 10 === Number(text.at(-1));
}
