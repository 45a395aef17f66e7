import type { Cents } from "../kernel/money.ts"
import type { InvoiceLineInput } from "./invoice-form.ts"

/** A member who pays for the month that is billed. */
export interface CoveredMember {
  memberId: string
  firstName: string
  lastName: string
  tierId: string | null
  tierName: string | null
}

/**
 * The lines of a month: one for each member who pays for it (data: "Billing"). The
 * description is the member's name and tier, Standard if there is none. `premiumCents` is the policy's premium a
 * member that holds on the 1st; without one the setting "default member premium" stands in.
 */
export function memberLines(
  members: readonly CoveredMember[],
  premiumCents: Cents | null,
  defaultPremiumCents: Cents,
): InvoiceLineInput[] {
  return members.map((member) => ({
    description: `${member.firstName} ${member.lastName} - ${member.tierName ?? "Standard"}`,
    quantity: 1,
    unitCents: premiumCents ?? defaultPremiumCents,
    memberId: member.memberId,
    tierId: member.tierId,
  }))
}
