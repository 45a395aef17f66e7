import { valuesOf } from "@milkwood/domain/kernel/setting"
import { declaredSettings, defaultSettings } from "@milkwood/domain/settings/settings"
import type { LogoDetail, MailServerChange, SettingsDetail } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { hasPassword, readLinksHeldUntil, readMailDelivery } from "../platform/work/mail-server.ts"
import { requireUser } from "../users/sessions.ts"

interface StoredSettings {
  version: number
  savedAt: string | null
  savedBy: string | null
  stored: Record<string, unknown>
}

/** Whether there is a ledger entry, or a bank line that will become one. */
export async function hasRecordedAmounts(tx: Tx): Promise<boolean> {
  const found = await tx.row<{ some: boolean }>(sql`
    select exists (select from ledger_entries) or exists (select from bank_lines) as some`)
  return found!.some
}

async function readMailServerChange(cx: Cx): Promise<SettingsDetail["mailServerChange"]> {
  const { userId } = requireUser(cx)
  const found = await cx.tx.row<Omit<MailServerChange, "allowedActions"> & { askedById: string }>(sql`
    select c.id, c.server, c.asked_at as "askedAt", u.name as "askedBy", c.asked_by as "askedById"
    from mail_server_changes c join users u on u.id = c.asked_by where c.state = 'waiting'`)
  if (!found) return null
  const { askedById, ...change } = found
  return { ...change, allowedActions: askedById === userId ? ["withdraw"] : ["confirm", "withdraw"] }
}

const readLogoDetail = async ({ tx }: Pick<Cx, "tx">): Promise<LogoDetail | null> =>
  (await tx.row<LogoDetail>(sql`
    select l.file_name as "fileName", l.width, l.height, l.saved_at as "savedAt", u.name as "savedBy"
    from organisation_logo l left join users u on u.id = l.saved_by`)) ?? null

export async function readSettingsDetail(cx: Cx): Promise<SettingsDetail> {
  const found = (await cx.tx.row<StoredSettings>(sql`
    select coalesce(max(s.version), 0) as version, coalesce(jsonb_object_agg(s.key, s.value) filter (where s.key is not null), '{}') as stored,
      (array_agg(u.name order by s.version desc))[1] as "savedBy", max(s.saved_at) as "savedAt"
    from settings s left join users u on u.id = s.saved_by`))!
  return {
    version: found.version,
    settings: valuesOf(declaredSettings, found.stored),
    defaults: defaultSettings,
    savedAt: found.savedAt,
    savedBy: found.savedBy,
    mailDelivery: await readMailDelivery(cx),
    hasMailPassword: await hasPassword(cx.tx),
    recordsAmounts: await hasRecordedAmounts(cx.tx),
    mailServerChange: await readMailServerChange(cx),
    logo: await readLogoDetail(cx),
    linksHeldUntil: (await readLinksHeldUntil(cx))?.toString() ?? null,
  }
}
