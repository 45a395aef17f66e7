export const phoneMessage = "Enter a phone number of 7 to 15 digits, such as 082 555 0100 or +27 82 555 0100"

/** Digits with spaces, hyphens, brackets and a leading +; 7 to 15 digits (E.164). */
export function isPhone(text: string): boolean {
  return /^\+?[\d ()-]+$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ""))
}
