/** What a field says that does not hold a phone number. */
export const phoneWords = "Give a phone number of 7 to 15 digits, such as 082 555 0100 or +27 82 555 0100"

/** A phone number as people write it: digits, with spaces, hyphens, brackets and a leading +; at most 15, as E.164 has. */
export function isPhone(text: string): boolean {
  return /^\+?[\d ()-]+$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ""))
}
