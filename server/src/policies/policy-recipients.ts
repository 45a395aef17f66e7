import type { ContactPurpose } from "@milkwood/domain/employers/employer-contact"
import { type SQL, sql } from "drizzle-orm"
import { recipientsOf } from "../employers/recipients.ts"
import type { Tx } from "../platform/database/database.ts"

/** For a statement in which `p` is the policy. */
export const policyRecipients = (purpose: ContactPurpose) =>
  recipientsOf(purpose, { groupId: sql`p.group_id`, email: sql`p.contact_email`, name: sql`p.contact_name` })

/** `to` is empty without any address. */
export async function loadRecipients(
  tx: Tx,
  policyId: string | SQL,
  purpose: ContactPurpose,
): Promise<{ to: string; contact: string }> {
  const { to, contact } = policyRecipients(purpose)
  const found = await tx.row<{ to: string; contact: string }>(
    sql`select ${to} as "to", ${contact} as contact from policies p where p.id = ${policyId}`,
  )
  return found!
}
