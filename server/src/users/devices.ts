import { createHash, randomBytes } from "node:crypto"
import { deviceName, programName } from "@milkwood/domain/users/device"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { queueNewDeviceMail } from "./account-mails.ts"
import { clientAddressOf } from "./allowed-addresses.ts"
import { networkOf } from "./attempts.ts"
import { createDeviceCookie, readDeviceToken } from "./session-cookie.ts"

/** Days without a sign-in after which a device counts as new. */
const deviceCookieDays = 400

interface DeviceOwner {
  id: string
  name: string
  email: string
}

/** Identifies the device by a cookie and notifies the user of an unknown one. Returns the cookie to set. */
export async function rememberDevice(cx: Cx, person: DeviceOwner, headers: Headers | undefined): Promise<string> {
  const token = (headers && readDeviceToken(cx.app, headers)) ?? randomBytes(16).toString("base64url")
  await rememberClient(cx, person, { token, name: deviceName }, headers)
  return createDeviceCookie(cx.app, token)
}

/** A program keeps no cookie; its name and network identify it. */
export async function rememberProgram(cx: Cx, person: DeviceOwner, headers: Headers | undefined): Promise<void> {
  const token = `program ${networkOf(headers)} ${headers?.get("user-agent") ?? ""}`
  await rememberClient(cx, person, { token, name: programName }, headers)
}

/** The first device of an account is not reported. */
async function rememberClient(
  cx: Cx,
  person: DeviceOwner,
  { token, name }: { token: string; name: typeof deviceName },
  headers: Headers | undefined,
): Promise<void> {
  const { tx, now } = cx
  const hash = createHash("sha256").update(token).digest("hex")
  await tx.run(sql`
    delete from known_devices where user_id = ${person.id} and last_seen_at < ${now.subtract({ hours: deviceCookieDays * 24 })}`)
  const others = await tx.row(sql`select from known_devices where user_id = ${person.id} limit 1`)
  const kept = await tx.row<{ isNew: boolean }>(sql`
    insert into known_devices (user_id, device_hash, first_seen_at, last_seen_at) values (${person.id}, ${hash}, ${now}, ${now})
    on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at returning xmax = 0 as "isNew"`)
  if (others && kept!.isNew) {
    await queueNewDeviceMail(cx, person, {
      device: name(headers?.get("user-agent") ?? null),
      address: clientAddressOf(headers),
    })
  }
}
