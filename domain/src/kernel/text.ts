/** `A, B and C`. */
export const nameList = (names: readonly string[]): string => new Intl.ListFormat("en-GB").format(names)

/** The first three names, and how many more there are: `A, B, C and 2 more`. */
export const shortNameList = (names: readonly string[], most = 3): string =>
  names.length > most ? `${names.slice(0, most).join(", ")} and ${names.length - most} more` : names.join(", ")

/**
 * Invisible characters in copied text, including direction marks that can disguise a name or amount. Joiners are kept,
 * because some scripts need them.
 */
const invisibleCharacters = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Fast path: single-spaced ASCII, like nearly every cell of a long list. */
const isPlainLine = /^(?:[!-~]+(?: [!-~]+)*)?$/

/**
 * Removes invisible characters; line breaks, control characters and spaces become one space. NFC, so that two spellings
 * of Müller are equal.
 */
export const normalizeLine = (written: string): string =>
  isPlainLine.test(written)
    ? written
    : written
        .replace(invisibleCharacters, "")
        .replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
        .trim()
        .normalize("NFC")

/** As `normalizeLine`, but inner spaces, tabs and line breaks are kept. */
export const normalizeLines = (written: string): string =>
  written
    .replace(invisibleCharacters, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, " ")
    .trim()
    .normalize("NFC")
