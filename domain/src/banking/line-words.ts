import { type Day, yearOf } from "../kernel/calendar.ts"
import { monthsIn, type NamedMonth } from "./line-months.ts"

const referenceKindsByWord = {
  INV: "invoice",
  INVOICE: "invoice",
  INVOICES: "invoice",
  "1NV": "invoice",
  LNV: "invoice",
  GP: "policy",
  POL: "policy",
  POLICY: "policy",
  SCHEME: "policy",
  REC: "receipt",
  RECEIPT: "receipt",
  RCPT: "receipt",
  PAY: "payout",
  BAT: "batch",
  BATCH: "batch",
  DEP: "deposit",
  DEPOSIT: "deposit",
} as const

export type ReferenceKind = (typeof referenceKindsByWord)[keyof typeof referenceKindsByWord]

const prefixes = { invoice: "INV", policy: "GP", receipt: "REC", payout: "PAY", batch: "BAT", deposit: "DEP" } as const

/** How a number is written: complete; shortened (without year or letters); or with two digits swapped. */
export type ReferenceTypo = "none" | "short" | "swapped"

export interface Reference {
  kind: ReferenceKind
  number: string
  slip: ReferenceTypo
}

const normalizeText = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toUpperCase()

export const lettersOf = (text: string): string => normalizeText(text).replace(nonAlphanumeric, "")
const nonAlphanumeric = /[^A-Z0-9]+/g

const referencePattern = new RegExp(
  `(${Object.keys(referenceKindsByWord)
    .sort((a, b) => b.length - a.length)
    .join(
      "|",
    )})[\\s.:#/_-]*(?:(?:NO|NR|NUMBER)[\\s.:#-]*)?((?:[0-9][0-9O]*|O[0-9O]*[0-9][0-9O]*)(?:[\\s._/,&+-]{1,3}[0-9O]*[0-9][0-9O]*){0,5})`,
  "g",
)
const bareNumberPattern = /(?<![0-9A-Z])((?:20[0-9]{2}[\s._/-]?[0-9O]{6})|0[0-9O]{5})(?![0-9])/g

/** Numbers of the product that a text may mean, exact ones first, without duplicates. */
export const referencesIn = (text: string, day: Day): Reference[] => referencesOf(normalizeText(text), day)

function referencesOf(said: string, day: Day): Reference[] {
  const all: Reference[] = []
  const rest = said.replace(
    referencePattern,
    (whole: string, letters: keyof typeof referenceKindsByWord, digits: string) => {
      all.push(...numbersOf(referenceKindsByWord[letters], digits, day))
      // Banks call any payment a deposit, so a number after that word may be an invoice number.
      return referenceKindsByWord[letters] === "deposit" && !whole.startsWith("DEP-") ? whole : " "
    },
  )
  for (const [, digits] of rest.matchAll(bareNumberPattern)) {
    for (const kind of ["invoice", "policy"] as const)
      all.push(
        ...numbersOf(kind, digits!, day).map((one) => (one.slip === "none" ? { ...one, slip: "short" as const } : one)),
      )
  }
  const once = new Map<string, Reference>()
  for (const one of all.sort((a, b) => typoOrder[a.slip] - typoOrder[b.slip])) {
    if (!once.has(one.number)) once.set(one.number, one)
  }
  return [...once.values()]
}

const typoOrder: Record<ReferenceTypo, number> = { none: 0, short: 1, swapped: 2 }

function numbersOf(kind: ReferenceKind, written: string, day: Day): Reference[] {
  const parts = written.replaceAll("O", "0").split(/[^0-9]+/)
  const thisYear = yearOf(day)
  const all: Reference[] = []
  let year: number | null = null
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    const next = parts[at + 1]
    if (part.length === 4 && isReferenceYear(Number(part), thisYear) && next !== undefined) {
      year = Number(part)
    } else if (part.length > 6 && part.length <= 10) {
      all.push(...referencesWithYear(kind, part, thisYear))
      year = Number(part.slice(0, 4))
    } else if (part.length <= 6) {
      // Spaces may split a number, such as 000 123.
      let joined = part
      for (
        let more = at + 1;
        joined.length < 6 && more < parts.length && joined.length + parts[more]!.length <= 6;
        more++
      ) {
        joined += parts[more]!
        all.push(...referencesInYears(kind, year, joined, thisYear))
        if (joined.length === 6) at = more
      }
      if (part.length > 2 || all.length === 0) all.push(...referencesInYears(kind, year, part, thisYear))
    }
  }
  return all
}

const isReferenceYear = (year: number, thisYear: number) => year > thisYear - 4 && year <= thisYear + 1

function referencesInYears(kind: ReferenceKind, year: number | null, digits: string, thisYear: number): Reference[] {
  const value = Number(digits)
  if (value === 0) return []
  if (year === null) return [thisYear, thisYear - 1].map((of) => createReference(kind, of, value, "short"))
  const slip = digits.length === 6 ? "none" : "short"
  return [
    createReference(kind, year, value, slip),
    ...referencesWithSwappedDigits(kind, `${year}${String(value).padStart(6, "0")}`, thisYear),
  ]
}

/** A number that begins with the year: 2026000123, or with fewer zeros. */
function referencesWithYear(kind: ReferenceKind, digits: string, thisYear: number): Reference[] {
  const [year, value] = [Number(digits.slice(0, 4)), Number(digits.slice(4))]
  const whole = `${digits.slice(0, 4)}${String(value).padStart(6, "0")}`
  const straight = isReferenceYear(year, thisYear) && value > 0
  const slip = digits.length === 10 ? "none" : "short"
  return [
    ...(straight ? [createReference(kind, year, value, slip)] : []),
    ...referencesWithSwappedDigits(kind, whole, thisYear),
  ]
}

function referencesWithSwappedDigits(kind: ReferenceKind, digits: string, thisYear: number): Reference[] {
  const all: Reference[] = []
  for (let at = 0; at + 1 < digits.length; at++) {
    if (digits[at] === digits[at + 1]) continue
    const turned = `${digits.slice(0, at)}${digits[at + 1]}${digits[at]}${digits.slice(at + 2)}`
    const [year, value] = [Number(turned.slice(0, 4)), Number(turned.slice(4))]
    if (isReferenceYear(year, thisYear) && value > 0) all.push(createReference(kind, year, value, "swapped"))
  }
  return all
}

const createReference = (kind: ReferenceKind, year: number, value: number, slip: ReferenceTypo): Reference => ({
  kind,
  number: `${prefixes[kind]}-${year}-${String(value).padStart(6, "0")}`,
  slip,
})

/** Bank and payment terms that are not part of the payer's name. */
const bankWords = new Set(
  `ABSA ACB ACC ACCOUNT AND APP BANK BANKING BAT BATCH BRANCH CAPITEC CASH CELLPHONE CR CREDIT DEBIT DEP DEPOSIT DIGITAL DR DT EFT ELECTRONIC
   EN FNB FOR FROM IB IMMEDIATE INV INVOICE INVOICES INTERNET INTO MAGTAPE MONTH MONTHLY MOBILE NEDBANK NO NR NUMBER OB OF ONLINE
   PAID PAY PAYMENT PAYMENTS PMT POL POLICY GP PREM PREMIUM PREMIUMS RCPT REC RECEIPT REF REFERENCE REM RTC SCHEME STANDARD THE TO
   TRANSFER TRF TXN VIA JAN FEB MAR APR MAY JUN JUL AUG SEP SEPT OCT NOV DEC JANUARY FEBRUARY MARCH APRIL JUNE JULY AUGUST
   SEPTEMBER OCTOBER NOVEMBER DECEMBER BALANCE`
    .split(/\s+/)
    .filter(Boolean),
)

const legalFormWords = new Set(
  "PTY LTD LIMITED CC INC NPC RF SOC PROPRIETARY INCORPORATED CO OPERATIVE COOPERATIVE BPK EDMS".split(" "),
)

/**
 * The payer to learn: the line's words without numbers, days and bank terms. A single digit after a name is part of the
 * name (Soweto Retail 2). An empty payer is not learned.
 */
export const payerOf = (text: string): string => extractPayer(normalizeText(text))

function extractPayer(said: string): string {
  const kept: string[] = []
  let before = false
  for (const word of said.replace(referencePattern, " ; ").split(/[^A-Z0-9;]+/)) {
    const isName = /^[A-Z]{2,}$/.test(word) && !bankWords.has(word) && !legalFormWords.has(word)
    if (isName || (before && /^[1-9]$/.test(word))) kept.push(word)
    before = isName
  }
  return kept.join(" ").slice(0, 120)
}

const genericWords = new Set(
  `ACCOUNTS BENEFIT BENEFITS CONTRIBUTION CONTRIBUTIONS COVER CREDITOR CREDITORS EMPLOYEE EMPLOYEES FUNERAL GROUP IBANK INS INST
   INSTANT INSURANCE LIFE OUR PAYROLL PAYSHAP PREMIE REAL RISK RUN SALARIES SETTLEMENT SETTLE STAFF STATEMENT SUPPLIER SUPPLIERS
   TIME YOUR`
    .split(/\s+/)
    .filter(Boolean),
)

export const isAnonymous = (payer: string): boolean =>
  payer === "" || payer.split(" ").every((word) => genericWords.has(word) || /^\d$/.test(word))

export const firstWordsIn = ({ words }: Pick<LineWords, "words">): string[] =>
  [...words].filter((word) => word.length >= 4 && !/\d/.test(word) && !bankWords.has(word) && !genericWords.has(word))

export function isNameWithin(learnt: string, payer: string): boolean {
  const words = new Set(payer.split(" "))
  return learnt.length >= 4 && learnt.split(" ").every((word) => words.has(word))
}

/** An employer's name in letters and digits, without "(Pty) Ltd" and the like. */
export function nameCoreOf(name: string): string {
  const words = normalizeText(name)
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
  const core = words.filter((word) => !legalFormWords.has(word))
  return (core.length > 0 ? core : words).join("")
}

/**
 * A name of two to four words with the last word moved to the front, as banks write people. Null for companies and for
 * names with digits.
 */
export function surnameFirstCoreOf(name: string): string | null {
  const words = normalizeText(name).split(nonAlphanumeric).filter(Boolean)
  const isPerson =
    words.length >= 2 && words.length <= 4 && words.every((word) => /^[A-Z]+$/.test(word) && !legalFormWords.has(word))
  return isPerson ? [words.at(-1), ...words.slice(0, -1)].join("") : null
}

/** A person's name with the surname first, as banks write it. The surname includes its particles. */
export function moveSurnameFirst(name: string): string {
  const words = name.trim().split(/\s+/)
  const particles = /^(?:van|von|de|der|den|du|le|la|ter|ten)$/i
  let at = words.length - 1
  while (at > 1 && particles.test(words[at - 1]!)) at--
  return [...words.slice(at), ...words.slice(0, at)].join(" ")
}

/** Whether a line contains the whole name or only its beginning, because banks shorten texts. */
export type NameMatch = "whole" | "begun" | null

export const minNameStartLetters = 6

export interface LineWords {
  payer: string
  letters: string
  words: ReadonlySet<string>
  references: Reference[]
  months: readonly NamedMonth[]
}

export function lineWordsOf({ text, reference, day }: { text: string; reference: string; day: Day }): LineWords {
  const said = normalizeText(reference && !text.includes(reference) ? `${text} ; ${reference}` : text)
  return {
    payer: extractPayer(said),
    letters: said.replace(nonAlphanumeric, ""),
    words: new Set(said.split(nonAlphanumeric)),
    references: referencesOf(said, day),
    months: monthsIn(said, day),
  }
}
