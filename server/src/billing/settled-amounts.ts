import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

export interface SettledAmount {
  invoiceId: string
  amountCents: Cents
}

/** Adds allocations, or releases (negative amounts), to their invoices, which the caller has locked. */
export const addAllocated = (tx: Tx, amounts: readonly SettledAmount[]): Promise<void> =>
  addSettled(tx, "allocated_cents", amounts)

/** Adds write-offs, or reversals (negative amounts), to their invoices, which the caller has locked. */
export const addWrittenOff = (tx: Tx, amounts: readonly SettledAmount[]): Promise<void> =>
  addSettled(tx, "written_off_cents", amounts)

async function addSettled(
  tx: Tx,
  total: "allocated_cents" | "written_off_cents",
  amounts: readonly SettledAmount[],
): Promise<void> {
  const column = sql.identifier(total)
  await tx.run(sql`
    update invoices i set ${column} = i.${column} + added.cents
    from (
      select "invoiceId" as id, sum("amountCents")::bigint as cents
      from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as amount ("invoiceId" uuid, "amountCents" bigint) group by 1
    ) added where i.id = added.id`)
}
