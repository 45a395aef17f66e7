import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import type { UserActor } from "../platform/calls/actor.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { sendFile } from "../test/send-file.ts"

export const censusFolder = join(import.meta.dirname, "fixtures")

export interface ExpectedAnswer {
  group: string
  rows: number
  /** The code of each refused row, by row number. */
  errors: Record<string, string>
}

export const expectedAnswers = JSON.parse(readFileSync(join(censusFolder, "answers.json"), "utf8")) as Record<
  string,
  ExpectedAnswer
>

export interface StaffListApp {
  app: TestApp
  server: Awaited<ReturnType<TestApp["serve"]>>
}

export async function openStaffListApp(): Promise<StaffListApp> {
  const app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  return { app, server: await app.serve() }
}

export async function uploadListAs(
  { server }: StaffListApp,
  actor: UserActor | null,
  policyId: string,
  name: string,
  content: Buffer | string = readFileSync(join(censusFolder, name)),
): Promise<Response> {
  return sendFile(server, actor, { path: "/api/members/imports", of: ["policyId", policyId], name, content })
}

export async function createCheckedList(
  desk: StaffListApp,
  actor: UserActor,
  policyId: string,
  name: string,
  content?: Buffer | string,
): Promise<StaffListDetail> {
  const { app } = desk
  const answer = await uploadListAs(desk, actor, policyId, name, content)
  if (!answer.ok) throw new Error(await answer.text())
  const { importId } = (await answer.json()) as { importId: string }
  const { staffLists } = app.as(actor)
  const found = await staffLists.detail({ importId })
  await staffLists.check({ importId, version: found.version, mapping: found.mapping })
  await app.runJobs()
  return staffLists.detail({ importId })
}

export async function createImportedList(
  desk: StaffListApp,
  actor: UserActor,
  policyId: string,
  name: string,
  content?: Buffer | string,
): Promise<StaffListDetail> {
  const { app } = desk
  const { id: importId, version } = await createCheckedList(desk, actor, policyId, name, content)
  const { staffLists } = app.as(actor)
  await staffLists.import({ importId, version, idempotencyKey: crypto.randomUUID() })
  await app.runJobs()
  return staffLists.detail({ importId })
}
