import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import fc from "fast-check"
import type { WrittenLine } from "./statement-files.samples.ts"

export interface Payer {
  policyId: string
  policyNumber: string
  groupName: string
  invoices: readonly { id: string; number: string; openCents: Cents }[]
}

export const slipKinds = [
  "missingZeros",
  "swappedDigits",
  "letterO",
  "spaces",
  "mergedWords",
  "shortName",
  "chargeTaken",
  "roundedUp",
  "twoInvoices",
  "twoPolicies",
] as const
export type Slip = (typeof slipKinds)[number]

export interface GeneratedPayment {
  line: WrittenLine
  policyIds: string[]
  invoiceIds: string[]
  slip: Slip | null
}

export type RandomSource = ReturnType<typeof createDraw>
export function createDraw(seed: number) {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 })
  const below = (limit: number): number => generate!(fc.nat, limit - 1)
  return { below, of: <T>(all: readonly T[]): T => all[below(all.length)]! }
}

const placeNames = [
  "Soweto",
  "Umlazi",
  "Karoo",
  "Highveld",
  "Cape",
  "Zululand",
  "Limpopo",
  "Tshwane",
  "Algoa",
  "Kalahari",
]
const tradeNames = ["Retail", "Mining Supplies", "Transport", "Security", "Bakery", "Citrus", "Textiles", "Engineering"]
const companyForms = ["(Pty) Ltd", "CC", "Holdings (Pty) Ltd", "Co-operative Ltd", ""]

export const createEmployerNames = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const place = placeNames[at % placeNames.length]
    const trade = tradeNames[Math.floor(at / placeNames.length) % tradeNames.length]
    const round = Math.floor(at / (placeNames.length * tradeNames.length))
    return [place, trade, round > 0 ? String(round + 1) : "", companyForms[at % companyForms.length]]
      .filter(Boolean)
      .join(" ")
  })

const bankPrefixes = ["ACB CREDIT", "FNB APP PAYMENT FROM", "IB PAYMENT FROM", "CREDIT TRANSFER", "MAGTAPE CREDIT", ""]

const bankName = (name: string) =>
  name
    .replace(/\s*(?:\(Pty\) Ltd|CC|Co-operative Ltd)$/, "")
    .toUpperCase()
    .slice(0, 30)

const sumOf = (invoices: Payer["invoices"]) => invoices.reduce<Cents>((sum, { openCents }) => sum + openCents, 0)

function swapTwoDigits(reference: string): string {
  for (let at = reference.length - 1; at > reference.length - 4; at--) {
    const [one, other] = [reference[at - 1]!, reference[at]!]
    if (/\d\d/.test(one + other) && one !== other)
      return reference.slice(0, at - 1) + other + one + reference.slice(at + 1)
  }
  return reference
}

type Written = Pick<GeneratedPayment, "policyIds" | "invoiceIds"> & { words: string[]; amountCents: Cents }

function createCleanPayment(payer: Payer, draw: RandomSource): Written {
  const [first] = payer.invoices
  const name = bankName(payer.groupName)
  const of = { policyIds: [payer.policyId] }
  const one = { ...of, invoiceIds: [first!.id], amountCents: first!.openCents }
  const all = { ...of, invoiceIds: payer.invoices.map(({ id }) => id), amountCents: sumOf(payer.invoices) }
  const ways: Written[] = [
    { ...one, words: [name, first!.number] },
    { ...one, words: [first!.number] },
    { ...all, words: [name, payer.policyNumber] },
    { ...all, words: [name, ...payer.invoices.map(({ number }) => number)] },
    { ...one, words: [name, "PREMIUM"] },
    { ...all, words: [name, "GROUP LIFE PREMIUMS"] },
  ]
  return draw.of(ways)
}

function createSlippedPayment(payer: Payer, other: Payer, slip: Slip, draw: RandomSource): Written | null {
  const [first, second] = payer.invoices
  const name = bankName(payer.groupName)
  const one = { policyIds: [payer.policyId], invoiceIds: [first!.id], amountCents: first!.openCents }
  const { number } = first!
  switch (slip) {
    case "missingZeros":
      return { ...one, words: [name, number.replace(/-0+/, draw.of(["-", " ", ""]))] }
    case "swappedDigits":
      return swapTwoDigits(number) === number ? null : { ...one, words: [name, swapTwoDigits(number)] }
    case "letterO":
      return { ...one, words: [name, number.replaceAll("0", "O")] }
    case "spaces":
      return { ...one, words: [number.replaceAll("-", " ")] }
    case "mergedWords":
      return { ...one, words: [(name + number).replaceAll(/[\s-]/g, "")] }
    case "shortName":
      return { ...one, words: [name.slice(0, Math.max(10, Math.floor(name.length * 0.7)))] }
    case "chargeTaken":
      return { ...one, amountCents: first!.openCents - draw.of([12_50, 25_00, 7_95]), words: [name, number] }
    case "roundedUp": {
      const rounded = Math.ceil(first!.openCents / 100_00) * 100_00
      return rounded === first!.openCents ? null : { ...one, amountCents: rounded, words: [name, number] }
    }
    case "twoInvoices": {
      if (!second) return null
      const invoiceIds = [first!.id, second.id]
      const amountCents = first!.openCents + second.openCents
      return { ...one, invoiceIds, amountCents, words: [name, number, second.number.slice(-4)] }
    }
    case "twoPolicies": {
      if (other.groupName !== payer.groupName) return null
      const [its] = other.invoices
      return {
        policyIds: [payer.policyId, other.policyId],
        invoiceIds: [first!.id, its!.id],
        amountCents: first!.openCents + its!.openCents,
        words: [name, draw.of([`${number} ${its!.number}`, `${payer.policyNumber} ${other.policyNumber}`])],
      }
    }
  }
}

/**
 * Generates one payment per payer within ten days from `from`; every `slippedEvery`th has one error. Each payer needs
 * an open invoice; policies of one employer must be adjacent.
 */
export function createRandomPayments(
  payers: readonly Payer[],
  { seed, from, slippedEvery }: { seed: number; from: Day; slippedEvery: number },
): GeneratedPayment[] {
  const draw = createDraw(seed)
  const paid = new Set<string>()
  return payers
    .flatMap((payer, at): GeneratedPayment[] => {
      if (paid.has(payer.policyId)) return []
      const slip = at % slippedEvery === 0 ? draw.of(slipKinds) : null
      const other = payers[at + 1] ?? payer
      const changed = slip && createSlippedPayment(payer, other, slip, draw)
      const { words, amountCents, ...truth } = changed ?? createCleanPayment(payer, draw)
      for (const id of truth.policyIds) paid.add(id)
      const text = [draw.of(bankPrefixes), ...words].filter(Boolean).join(" ").slice(0, 120)
      const line = { day: addDays(from, draw.below(10)), text, reference: "", amountCents }
      return [{ ...truth, line, slip: changed ? slip : null }]
    })
    .sort((a, b) => (a.line.day < b.line.day ? -1 : a.line.day > b.line.day ? 1 : 0))
}
