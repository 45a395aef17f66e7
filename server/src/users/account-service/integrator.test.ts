import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { createMember } from "../../members/members.samples.ts"
import { createActivePolicy } from "../../policies/policies.samples.ts"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { findLink } from "../browser.samples.ts"
import { scryptParameters } from "../passwords.ts"
import { type Programs, startPrograms } from "./program.samples.ts"

const credentials = { email: "program@acme.example", password: "Jacaranda-77-avenue" }
let app: TestApp
let programs: Programs

beforeAll(async () => {
  scryptParameters.cost = 16
  app = await openTestApp({ now: Temporal.Now.instant().toString() })
  programs = await startPrograms(app)
  vi.useFakeTimers({ toFake: ["Date"] })
})
afterAll(async () => {
  vi.useRealTimers()
  await programs.close()
  await app.close()
})

it("an API client signs in, uses the API, refreshes its session and signs out", async () => {
  const policy = await createActivePolicy(app.as(app.people.manager))
  const { link } = await app.as(app.people.admin).users.invite({ email: credentials.email, role: "manager" })
  const { token } = findLink(link)
  await app.as(null).users.acceptInvitation({ token, fullName: "Payroll link", password: credentials.password })

  const client = programs.client()
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  const { data } = await client.signInWithPassword(credentials)
  const first = data.session!.access_token

  const ask = async (path: string, body?: unknown) => {
    const answer = await programs.api(path, (await client.getSession()).data.session!.access_token, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(body === undefined ? 200 : 201)
    return answer.body as never
  }
  const api = {
    benefits: { choices: () => ask("/benefits/choices") },
    members: { create: (i: object) => ask("/members", i) },
  }
  const member = await createMember(api as unknown as Parameters<typeof createMember>[0], policy.id, {
    firstName: "Naledi",
  })
  expect(await ask(`/members/${member.id}`)).toMatchObject({ id: member.id, policy: { id: policy.id } })
  const kept = await app.sql.row(sql`
    select actor_name as name from audit_log where record_id = ${member.id} and fact = 'MemberAdded'`)
  expect(kept).toEqual({ name: "Payroll link" })

  // Downloads and events accept the same token.
  const headers = { authorization: `Bearer ${first}` }
  const file = await fetch(`${programs.url}/api/members.csv?search=naledi`, { headers })
  expect(await file.text()).toContain("Naledi")
  const leave = new AbortController()
  const news = await fetch(`${programs.url}/api/live`, { headers, signal: leave.signal })
  expect(news.headers.get("content-type")).toBe("text/event-stream")
  leave.abort()

  // Every 30 seconds, the client checks whether at most 90 seconds remain.
  app.clock.advance({ minutes: 58, seconds: 31 })
  vi.setSystemTime(app.clock.now().epochMilliseconds)
  await client.startAutoRefresh()
  await vi.waitFor(() => expect(events).toContain("TOKEN_REFRESHED"), 5_000)
  await client.stopAutoRefresh()
  expect((await client.getSession()).data.session!.access_token).not.toBe(first)
  await ask(`/members/${member.id}`)

  const last = (await client.getSession()).data.session!.access_token
  expect((await client.signOut()).error).toBeNull()
  expect((await programs.api(`/members/${member.id}`, last)).status).toBe(401)
  expect((await client.getSession()).data.session).toBeNull()
  expect(events).toEqual(expect.arrayContaining(["INITIAL_SESSION", "SIGNED_IN", "TOKEN_REFRESHED", "SIGNED_OUT"]))
})
