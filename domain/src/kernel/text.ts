/**
 * Signs that nobody sees and that come along with text copied from elsewhere: soft hyphens, zero-width spaces, and
 * those that turn the direction of writing, with which a name or an amount can be made to read as another. Joiners
 * stay, since some scripts are written with them.
 */
const unseen = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Words of ASCII with single spaces, as nearly every cell of a long list has them: nothing is to be done about these. */
const isPlainLine = /^(?:[!-~]+(?: [!-~]+)*)?$/

/**
 * Text as one line: unseen signs go; line breaks, control characters, halves of surrogate pairs and runs of spaces
 * become one space; accents are one code point with their letter, so that two spellings of Müller are equal.
 */
export const oneLine = (written: string): string =>
  isPlainLine.test(written)
    ? written
    : written
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
