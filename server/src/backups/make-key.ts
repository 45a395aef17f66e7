import { randomUUID } from "node:crypto"
import { backupsContract } from "@milkwood/domain/backups/backups.contract"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { record } from "../platform/trail/facts.ts"
import { currentKey, overviewOf } from "./backups.queries.ts"

/** The secret half is returned once and never stored. */
export const makeKey = command(backupsContract.makeKey, async (cx) => {
  expectProof(cx)
  const standing = await currentKey(cx)
  if ((standing?.id ?? null) !== cx.input.replaces)
    throw refused("CONFLICT", "Someone else created a key in the meantime. Reload the page.")
  const secret = await generateX25519Identity()
  const recipient = await identityToRecipient(secret)
  const id = randomUUID()
  if (standing) await cx.tx.run(sql`update backup_keys set replaced_at = ${cx.now} where id = ${standing.id}`)
  await cx.tx.run(sql`
    insert into backup_keys (id, recipient, made_by, made_at) values (${id}, ${recipient}, ${actorUserId(cx.actor)}, ${cx.now})`)
  const label = `Key ${recipient.slice(0, 12)}…`
  await record(cx, [{ type: "BackupKeyMade", record: { kind: "backup_key", id, label }, groupId: null }])
  return { secret, overview: await overviewOf(cx) }
})
