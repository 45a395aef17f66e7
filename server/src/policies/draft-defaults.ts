import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import { sql } from "drizzle-orm"
import { hasGroups } from "../employers/employers.queries.ts"
import { query } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"

export const draftDefaults = query(policiesContract.draftDefaults, async ({ tx }) => {
  const { defaultMemberPremiumCents: premiumCents } = await readSettings(tx, policiesSettings)
  const found = await tx.row<{ hasGroups: boolean }>(sql`
    select ${hasGroups} as "hasGroups"`)
  return { premiumCents, hasGroups: found!.hasGroups }
})
