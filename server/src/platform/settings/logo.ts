import { sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import { organisationLogo } from "./settings.tables.ts"

export async function storeLogo(tx: Tx, logo: typeof organisationLogo.$inferInsert): Promise<void> {
  await tx.insert(organisationLogo).values(logo).onConflictDoUpdate({ target: organisationLogo.one, set: logo })
}

export async function deleteLogo(tx: Tx): Promise<void> {
  await tx.run(sql`delete from organisation_logo`)
}
