import { type Cents, type Currency, formatMoney, lineTotal } from "../kernel/money.ts"

export interface Line {
  description: string
  quantity: number
  unitCents: Cents
}

/**
 * What an edit did to an invoice's lines, in words for the trail: those that went and those that came, null where there
 * are none. A line that was changed is in both; one that only moved is in neither.
 */
export function lineChanges(
  before: readonly Line[],
  after: readonly Line[],
  currency: Currency,
): { removed: string[] | null; added: string[] | null } {
  const words = ({ description, quantity, unitCents }: Line) =>
    `${description}: ${quantity} × ${formatMoney(unitCents, currency)}`
  const [were, are] = [before.map(words), after.map(words)]
  const [removed, added] = [beyond(were, are), beyond(are, were)]
  return { removed: told(removed, before, currency), added: told(added, after, currency) }
}

/** So many lines are told one by one. */
const toldEach = 1_000

function told(changed: string[], of: readonly Line[], currency: Currency): string[] | null {
  if (changed.length <= toldEach) return changed.length > 0 ? changed : null
  const subtotal = of.reduce((sum, { quantity, unitCents }) => sum + lineTotal(quantity, unitCents), 0)
  return [`${changed.length} of ${of.length} lines, together ${formatMoney(subtotal, currency)}`]
}

/** The texts that stand more often in one list than in the other. */
function beyond(texts: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  return texts.filter((text) => {
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count <= 0
  })
}
