import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { InvoiceLineInput } from "./invoice-form.ts"

/** A member who pays for the month that is billed. */
export interface CoveredMember {
  memberId: string
  firstName: string
  lastName: string
  tierId: string | null
  tierName: string | null
  /** What they owe for the month, without VAT; null where no premium says what that is. */
  owedCents: Cents | null
  /** How that came about, where a rate table says it. */
  rated?: string | null
}

/**
 * The lines of a month: one for each member who owes it (data: "Billing"). The description is the member's name and
 * tier, Standard if there is none. Where no premium says what a member owes, the setting "default member premium" stands
 * in.
 */
export function memberLines(
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
