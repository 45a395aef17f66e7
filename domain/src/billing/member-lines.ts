import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { InvoiceLineInput } from "./invoice-form.ts"

export interface CoveredMember {
  memberId: string
  firstName: string
  lastName: string
  tierId: string | null
  tierName: string | null
  /** Owed for the month, without VAT; null without a premium. */
  owedCents: Cents | null
  rated?: string | null
}

/**
 * One line per member who owes the month: name and tier ("Standard" without one). If no premium applies, the setting
 * "default member premium" does.
 */
export function createMemberLines(
  members: readonly CoveredMember[],
  month: Day,
  defaultPremiumCents: Cents,
): InvoiceLineInput[] {
  return members.map((member) => ({
    description: `${member.firstName} ${member.lastName} - ${member.rated ?? member.tierName ?? "Standard"}`.slice(
      0,
      300,
    ),
    quantity: 1,
    unitCents: member.owedCents ?? defaultPremiumCents,
    memberId: member.memberId,
    tierId: member.tierId,
    billedMonth: month,
  }))
}
