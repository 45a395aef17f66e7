import { createHash, randomBytes } from "node:crypto"
import { deviceName } from "@milkwood/domain/users/device"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { mailNewDevice } from "./account-mails.ts"
import { addressOf } from "./allowed-addresses.ts"
import { deviceCookie, deviceToken } from "./session-cookie.ts"

/** A device that was not signed in on for so long is a new one. */
const knownForDays = 400

/**
 * Remembers the device of a sign-in, by a cookie that only tells it from others, and mails the person where it is none of
 * theirs. Nothing is mailed about an account's first. Answers the cookie to be kept there.
 */
export async function rememberDevice(
  cx: Cx,
  person: { id: string; name: string; email: string },
  headers: Headers | undefined,
): Promise<string> {
  const { app, tx, now } = cx
  const token = (headers && deviceToken(app, headers)) ?? randomBytes(16).toString("base64url")
  const hash = createHash("sha256").update(token).digest("hex")
  await tx.run(sql`
    delete from known_devices where user_id = ${person.id} and last_seen_at < ${now.subtract({ hours: knownForDays * 24 })}`)
  const others = await tx.row(sql`select from known_devices where user_id = ${person.id} limit 1`)
  const kept = await tx.row<{ isNew: boolean }>(sql`
    insert into known_devices (user_id, device_hash, first_seen_at, last_seen_at) values (${person.id}, ${hash}, ${now}, ${now})
    on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at returning xmax = 0 as "isNew"`)
  if (others && kept!.isNew) {
    await mailNewDevice(cx, person, {
      device: deviceName(headers?.get("user-agent") ?? null),
      address: addressOf(headers),
    })
  }
  return deviceCookie(app, token)
}
