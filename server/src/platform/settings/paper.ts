import type { ValuesOf } from "@milkwood/domain/kernel/setting"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Tx } from "../database/database.ts"
import type { Letterhead, Logo } from "../pdf/letter.ts"
import { readSettings } from "./store.ts"

export async function readDocumentSettings(
  tx: Tx,
): Promise<Omit<ValuesOf<typeof platformSettings>, "organisation"> & { organisation: Letterhead }> {
  const { organisation, ...settings } = await readSettings(tx, platformSettings)
  return { ...settings, organisation: { ...organisation, logo: await readLogo(tx) } }
}

async function readLogo(tx: Tx): Promise<Logo | null> {
  const logo = await tx.row<Logo>(sql`select image, width, height from organisation_logo`)
  // The driver's buffer is a view of a larger buffer, which would be copied whole to the PDF thread.
  return logo ? { ...logo, image: new Uint8Array(logo.image) } : null
}
