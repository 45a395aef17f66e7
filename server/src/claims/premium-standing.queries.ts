import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { type PremiumStanding, premiumStanding } from "@milkwood/domain/billing/premium-standing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { loadPremiumEvidence } from "../billing/premium-standing.queries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"

/** The standing of premiums up to an incident, as known today. */
export async function loadPremiumStanding(
  { tx, today }: Pick<Cx, "tx" | "today">,
  memberId: string,
  incidentOn: Day,
): Promise<PremiumStanding["state"]> {
  const evidence = await loadPremiumEvidence(tx, memberId, incidentOn)
  const { premiumGraceDays } = await readSettings(tx, { premiumGraceDays: billingSettings.premiumGraceDays })
  return premiumStanding(evidence, { on: incidentOn, today }, premiumGraceDays).state
}
