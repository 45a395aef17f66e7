import { type Cents, type Currency, formatMoney, lineTotal } from "../kernel/money.ts"

export interface Line {
  description: string
  quantity: number
  unitCents: Cents
}

/** Removed and added lines as text; null if none. A changed line is in both, a moved line in neither. */
export function describeLineChanges(
  before: readonly Line[],
  after: readonly Line[],
  currency: Currency,
): { removed: string[] | null; added: string[] | null } {
  const words = ({ description, quantity, unitCents }: Line) =>
    `${description}: ${quantity} × ${formatMoney(unitCents, currency)}`
  const [were, are] = [before.map(words), after.map(words)]
  const [removed, added] = [textsMissingFrom(were, are), textsMissingFrom(are, were)]
  return { removed: changedLineTexts(removed, before, currency), added: changedLineTexts(added, after, currency) }
}

const maxLinesListed = 1_000

function changedLineTexts(changed: string[], of: readonly Line[], currency: Currency): string[] | null {
  if (changed.length <= maxLinesListed) return changed.length > 0 ? changed : null
  const subtotal = of.reduce((sum, { quantity, unitCents }) => sum + lineTotal(quantity, unitCents), 0)
  return [`${changed.length} of ${of.length} lines, ${formatMoney(subtotal, currency)} in total`]
}

function textsMissingFrom(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  return texts.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}
