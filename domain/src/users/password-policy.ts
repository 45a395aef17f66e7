import { commonPasswords } from "./common-passwords.ts"
import { minimumLength, type PasswordPolicy } from "./password-policies.ts"

const hasSpecial = (text: string) => /[^\p{L}\p{N}\s]/u.test(text)

/** Undoes common substitutions: "P@ssw0rd1!" → "password". */
function undoLeetspeak(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[@4]/g, "a")
    .replace(/3/g, "e")
    .replace(/[1!|]/g, "i")
    .replace(/0/g, "o")
    .replace(/[$5]/g, "s")
    .replace(/7/g, "t")
  return plain.replace(/[^\p{L}]/gu, "")
}

const trimDigits = (text: string) => text.toLowerCase().replace(/^[\d\W_]+|[\d\W_]+$/g, "")

/** A repeated piece or a run: "aaaaaaaa", "abcabcabcab", "12345678", "87654321". */
function isPattern(text: string): boolean {
  const letters = Array.from(text.toLowerCase())
  const repeats = (period: number) => letters.every((letter, i) => i < period || letter === letters[i - period])
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0)
  const runs = (step: number) => codes.every((code, i) => i === 0 || code === codes[i - 1]! + step)
  return [1, 2, 3, 4].some((period) => letters.length > period && repeats(period)) || runs(1) || runs(-1)
}

/**
 * Whether a password is on the list of common passwords, a variant with common substitutions, a run or a repetition.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  return (
    commonPasswords.has(lower) ||
    commonPasswords.has(trimDigits(lower)) ||
    commonPasswords.has(undoLeetspeak(lower)) ||
    commonPasswords.has(undoLeetspeak(trimDigits(lower))) ||
    isPattern(password)
  )
}

/**
 * Lists the reasons against a password; empty means accepted. Every policy refuses common passwords and passwords made
 * of the person's own name or address.
 *
 * @param owner words that may not make up the password: the person's name and e-mail address
 */
export function passwordProblems(password: string, policy: PasswordPolicy, owner: string[] = []): string[] {
  const problems: string[] = []
  const length = Array.from(password).length
  if (length < minimumLength[policy]) problems.push(`Use at least ${minimumLength[policy]} characters`)
  if (length > 256) problems.push("Use at most 256 characters")
  if (policy === "strong") {
    if (!/\p{Ll}/u.test(password)) problems.push("Add a lower case letter")
    if (!/\p{Lu}/u.test(password)) problems.push("Add an upper case letter")
    if (!/\p{N}/u.test(password)) problems.push("Add a digit")
  }
  if (policy !== "basic" && !hasSpecial(password)) problems.push("Add a special character, such as ! or #")
  if (password.length > 0 && isCommonPassword(password)) problems.push("Choose a less common password")
  else if (containsOwnerDetails(password, owner)) problems.push("Do not use your name or e-mail address")
  return problems
}

/** Whether the password is the owner's name or address, with or without digits around it. */
function containsOwnerDetails(password: string, owner: string[]): boolean {
  const bare = trimDigits(password).replace(/[^\p{L}]/gu, "")
  if (bare.length < 4) return false
  return owner
    .flatMap((text) => [text, text.split("@")[0] ?? "", ...text.split(/[\s.@_-]+/)])
    .some((part) => part.length >= 4 && part.toLowerCase().replace(/[^\p{L}]/gu, "") === bare)
}
