import { hasBankAccount } from "@milkwood/domain/billing/paper-rules"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { setUpSettings } from "@milkwood/domain/settings/set-up-shape"
import { nextSetUpStep, type SetUpFacts, setUpStatesFor } from "@milkwood/domain/settings/set-up-steps"
import type { SetUpDetail } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"

type StoredFacts = Omit<SetUpFacts, "hasBankAccount" | "hasVatNumber" | "hasMailServer">

export async function readSetUpSteps(cx: Cx): Promise<SetUpDetail> {
  const { organisation, skippedSetUpSteps } = await readSettings(cx.tx, { ...platformSettings, ...setUpSettings })
  const stored = await cx.tx.row<StoredFacts>(sql`
    select
      exists (select from backup_keys where replaced_at is null) as "hasBackupKey",
      (select count(*) from (
        select from users
        where role in ('admin', 'manager', 'underwriter') and disabled_at is null and not is_program limit 2) u) > 1
        or exists (
          select from account_links
          where kind = 'invitation' and used_at is null and revoked_at is null and expires_at > ${cx.now}
            and role in ('admin', 'manager', 'underwriter')) as "hasColleagues",
      exists (select from product_benefits) as "hasProductBenefits",
      exists (select from policies) as "hasPolicies",
      exists (select from policies where status <> 'Draft') as "hasActivatedPolicies",
      exists (select from members) as "hasMembers",
      exists (select from invoices where status <> 'cancelled') as "hasInvoices",
      exists (select from invoices where status = 'sent') as "hasSentInvoices"`)
  const facts: SetUpFacts = {
    ...stored!,
    hasBankAccount: hasBankAccount(organisation),
    hasVatNumber: organisation.vatNumber !== "",
    hasMailServer: await isMailEnabled(cx),
  }
  const steps = setUpStatesFor(ruleActor(cx.actor).role, facts, skippedSetUpSteps)
  return { steps, next: nextSetUpStep(steps) }
}
