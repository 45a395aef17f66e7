import { deviceName, programName } from "@milkwood/domain/users/device"
import type { SessionRow } from "@milkwood/domain/users/own-account.contract"
import { isSessionValid } from "@milkwood/domain/users/session"
import { usersContract } from "@milkwood/domain/users/users.contract"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { actorRecord, requireUser } from "./sessions.ts"

const currentSessionId = (cx: Pick<Cx, "actor">): string | null => {
  const { session } = requireUser(cx)
  return typeof session === "object" ? session.id : null
}

async function readOwnSessions(cx: Cx): Promise<SessionRow[]> {
  const { userId } = requireUser(cx)
  const { sessionTimeoutMinutes } = await readSettings(cx.tx, usersSettings)
  const rows = await cx.tx.rows<
    Omit<SessionRow, "device" | "isThis"> & { userAgent: string | null; isProgram: boolean }
  >(sql`
    select s.id, s.user_agent as "userAgent", s.level is not null as "isProgram", s.address, s.started_at as "startedAt", s.last_active_at as "lastActiveAt"
    from sessions s join users u on u.id = s.user_id and u.session_epoch = s.epoch
    where s.user_id = ${userId} and s.stage = 'signed_in' order by s.last_active_at desc, s.id`)
  const here = currentSessionId(cx)
  const held = rows.filter(({ startedAt, lastActiveAt }) => {
    const times = { startedAt: Temporal.Instant.from(startedAt), lastActiveAt: Temporal.Instant.from(lastActiveAt) }
    return isSessionValid(times, cx.now, sessionTimeoutMinutes)
  })
  return held
    .map(({ userAgent, isProgram, ...row }) => {
      return { ...row, device: (isProgram ? programName : deviceName)(userAgent), isThis: row.id === here }
    })
    .sort((one, other) => Number(other.isThis) - Number(one.isThis))
}

export const listSessions = query(usersContract.sessions.list, readOwnSessions, { as: "auth" })

export const endSession = command(
  usersContract.sessions.end,
  async (cx) => {
    const actor = requireUser(cx)
    const ended = await cx.tx.run(sql`delete from sessions where id = ${cx.input.id} and user_id = ${actor.userId}`)
    if (ended === 0) throw refused("NOT_FOUND", "This session has ended.")
    await record(cx, [{ type: "SessionEnded", ...actorRecord(actor) }])
    return readOwnSessions(cx)
  },
  { as: "auth" },
)

/** Ends all of the caller's sessions except the current one. */
export const endOtherSessions = command(
  usersContract.sessions.endOthers,
  async (cx) => {
    const actor = requireUser(cx)
    const ended = await cx.tx.run(sql`
      delete from sessions where user_id = ${actor.userId} and id is distinct from ${currentSessionId(cx)}::uuid`)
    if (ended > 0) await record(cx, [{ type: "OtherSessionsEnded", ...actorRecord(actor) }])
    return readOwnSessions(cx)
  },
  { as: "auth" },
)
