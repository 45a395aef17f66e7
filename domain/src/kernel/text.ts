import { z } from "zod"
import { isEmail } from "./email.ts"
import { isPhone, phoneWords } from "./phone.ts"

/**
 * Signs that nobody sees and that come along with text copied from elsewhere: soft hyphens, zero-width spaces, and
 * those that turn the direction of writing, with which a name or an amount can be made to read as another. Joiners
 * stay, since some scripts are written with them.
 */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * Text as one line: unseen signs go; line breaks, control characters, halves of surrogate pairs and runs of spaces
 * become one space; accents are one code point with their letter, so that two spellings of Müller are equal.
 */
export const oneLine = (written: string): string =>
  written
    .replace(unseen, "")
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .normalize("NFC")

/** Text of several lines: as `oneLine`, but spaces, tabs and line breaks stay inside of it as they were typed. */
export const severalLines = (written: string): string =>
  written
    .replace(unseen, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, " ")
    .trim()
    .normalize("NFC")

/** A field of one line in the API, of at most so many characters. */
export const line = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(oneLine).max(most, tooLong)

/** An e-mail address in the API. */
export const emailAddress = (wrong: string) => z.string().overwrite(oneLine).refine(isEmail, wrong)

/** An e-mail address in the API, or nothing. */
export const emailOrNothing = z
  .string()
  .overwrite(oneLine)
  .refine((address) => address === "" || isEmail(address), "This is not an e-mail address")

/** A phone number in the API, or nothing. */
export const phoneOrNothing = line(40).refine((number) => number === "" || isPhone(number), phoneWords)

/** A field of several lines in the API, of at most so many characters. */
export const text = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(severalLines).max(most, tooLong)
