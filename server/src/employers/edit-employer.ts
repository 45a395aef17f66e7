import { closeEmployer, editEmployer, reopenEmployer } from "@milkwood/domain/employers/employer"
import { employersContract } from "@milkwood/domain/employers/employers.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { openPolicyNumbers } from "./employers.ports.ts"
import { readEmployerDetail } from "./employers.queries.ts"
import { createGroup, lockEmployer, saveEmployer } from "./group-record.ts"

export const createEmployer = command(employersContract.create, async (cx) => {
  const { name, ...details } = cx.input
  return readEmployerDetail(cx, await createGroup(cx, name, details))
})

async function lockVersion(cx: Cx, { groupId, version }: { groupId: string; version: number }) {
  const employer = await lockEmployer(cx.tx, groupId)
  expectVersion(employer, version)
  return employer
}

export const updateEmployer = command(employersContract.update, async (cx) => {
  const employer = await lockVersion(cx, cx.input)
  await saveEmployer(cx, employer, editEmployer(employer, cx.input.values))
  return readEmployerDetail(cx, employer.id)
})

export const closeEmployerGroup = command(employersContract.close, async (cx) => {
  const employer = await lockVersion(cx, cx.input)
  const open = await cx.tx.row<{ numbers: string[] }>(
    sql`select ${openPolicyNumbers(sql`${employer.id}::uuid`)} as numbers`,
  )
  await saveEmployer(cx, employer, orRefuse(closeEmployer(employer, cx.input.reason, cx.today, open!.numbers)))
  return readEmployerDetail(cx, employer.id)
})

export const reopenEmployerGroup = command(employersContract.reopen, async (cx) => {
  const employer = await lockVersion(cx, cx.input)
  await saveEmployer(cx, employer, orRefuse(reopenEmployer(employer)))
  return readEmployerDetail(cx, employer.id)
})
