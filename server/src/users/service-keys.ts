import { createHash, randomBytes, randomUUID } from "node:crypto"
import { checkKeyExpiry, keyHintOf, keyPrefix, programName } from "@milkwood/domain/users/service-key"
import { isLimitedToGroups } from "@milkwood/domain/users/user"
import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { record } from "../platform/trail/facts.ts"
import { requireExistingGroups } from "./invite-user.ts"
import { readServiceKey } from "./service-keys.queries.ts"
import { requireUser } from "./sessions.ts"

const { serviceKeys: contract } = usersContract

/** An unsalted hash is safe because keys are random. */
export const keyHashOf = (key: string): string => createHash("sha256").update(key).digest("hex")

/** Also creates an account for the program. The key is returned once and never stored. */
export const makeServiceKey = command(contract.make, async (cx) => {
  expectProof(cx)
  const { tx, now, today, timezone, input } = cx
  const { name, role } = input
  const expiresOn = orRefuse(checkKeyExpiry(input.expiresOn, today))
  const groupIds = isLimitedToGroups(role) ? await requireExistingGroups(cx, input.groupIds) : []
  const id = randomUUID()
  const secret = keyPrefix + randomBytes(32).toString("base64url")
  const expiresAt = Temporal.PlainDate.from(expiresOn).add({ days: 1 }).toZonedDateTime(timezone).toInstant()
  await tx.run(sql`
    insert into users (id, name, email, is_program, disabled_at, created_at, updated_at)
    values (${id}, ${programName(name)}, ${`${id}@service-keys.invalid`}, true, ${now}, ${now}, ${now})`)
  await tx.run(sql`
    insert into service_keys (id, name, role, hash, hint, made_by, made_at, expires_at)
    values (${id}, ${name}, ${role}, ${keyHashOf(secret)}, ${keyHintOf(secret)}, ${requireUser(cx).userId}, ${now}, ${expiresAt})`)
  if (groupIds.length > 0)
    await tx.run(sql`insert into user_groups (user_id, group_id) select ${id}, unnest(${sql.param(groupIds)}::uuid[])`)
  await record(cx, [{ type: "ServiceKeyMade", ...keyRecord(id, name), after: { role, groupIds, expiresOn } }])
  return { secret, key: await readServiceKey(cx, id) }
})

export const revokeServiceKey = command(contract.revoke, async (cx) => {
  const { tx, now, input } = cx
  const revoked = await tx.row<{ name: string }>(sql`
    update service_keys set revoked_at = ${now}, revoked_by = ${requireUser(cx).userId}
    where id = ${input.id} and revoked_at is null returning name`)
  if (revoked) await record(cx, [{ type: "ServiceKeyRevoked", ...keyRecord(input.id, revoked.name) }])
  return readServiceKey(cx, input.id)
})

const keyRecord = (id: string, label: string) => ({
  record: { kind: "service_key" as const, id, label },
  groupId: null,
})
