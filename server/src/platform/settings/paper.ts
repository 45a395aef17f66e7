import type { ValuesOf } from "@milkwood/domain/kernel/setting"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import type { Letterhead, Logo } from "../pdf/letter.ts"
import { readSettings } from "./store.ts"

/** The settings of a document that is made now, the organisation with its logo. */
export async function paperSettings(
  tx: Tx,
): Promise<Omit<ValuesOf<typeof platformSettings>, "organisation"> & { organisation: Letterhead }> {
  const { organisation, ...settings } = await readSettings(tx, platformSettings)
  return { ...settings, organisation: { ...organisation, logo: await readLogo(tx) } }
}

async function readLogo(tx: Tx): Promise<Logo | null> {
  const logo = await tx.row<Logo>(sql`select image, width, height from organisation_logo`)
  // A buffer of the connection is a part of a larger one, all of which would be copied to the PDF's thread.
  return logo ? { ...logo, image: new Uint8Array(logo.image) } : null
}
