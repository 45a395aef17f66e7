import { randomUUID } from "node:crypto"
import { hasPermission, type Permission, permissions, roles } from "@milkwood/domain/platform/permission"
import { call, ORPCError } from "@orpc/server"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { router } from "../router.ts"
import { routes } from "../routes.ts"
import { openTestApp, type TestApp } from "./app.ts"
import { bindProcedure, procedures, sampleInput } from "./procedures.ts"

/**
 * Access matrix: the five roles, an account without a role, and an anonymous caller. Cells are enumerated from the
 * contract and the running server, so new routes are included automatically.
 */

const viewers = [...roles, "none", "anonymous"] as const
type Viewer = (typeof viewers)[number]

function expectedOutcome(permission: Permission, viewpoint: Viewer): "reached" | "UNAUTHENTICATED" | "FORBIDDEN" {
  if (permission === "public") return "reached"
  if (viewpoint === "anonymous") return "UNAUTHENTICATED"
  if (permission === "session") return "reached"
  return viewpoint !== "none" && hasPermission(viewpoint, permission) ? "reached" : "FORBIDDEN"
}

let app: TestApp
let people: Record<Viewer, UserActor | null>
beforeAll(async () => {
  app = await openTestApp()
  const { admin, manager, underwriter, none, groupAdmin, policyHolder } = app.people
  people = {
    admin,
    manager,
    underwriter,
    group_admin: await groupAdmin(),
    policy_holder: await policyHolder(),
    none,
    anonymous: null,
  }
})
afterAll(() => app.close())

test("every procedure of the contract requires an existing permission", () => {
  expect(procedures.length).toBeGreaterThan(20)
  for (const { path, meta } of procedures) {
    expect([...Object.keys(permissions), "public", "session"], path).toContain(meta.permission)
  }
})

test("the router implements exactly the procedures of the contract", async () => {
  const bound = (node: unknown, path: string[] = []): string[] =>
    typeof node === "object" && node !== null && "~orpc" in node
      ? [path.join(".")]
      : Object.entries(node as object).flatMap(([key, child]) => bound(child, [...path, key]))
  expect(bound(router).sort()).toEqual(procedures.map(({ path }) => path).sort())
})

describe.each(procedures)("$path", ({ path, contract: shape, meta }) => {
  test.each(viewers)("for %s", async (viewpoint) => {
    const reached = vi.spyOn(app.app, "moment")
    const context = {
      app: app.app,
      actor: people[viewpoint],
      requestId: randomUUID(),
      headers: new Headers(),
      responseHeaders: new Headers(),
    }
    const outcome = await call(await bindProcedure(path), sampleInput(shape), { context }).then(
      () => "answered",
      (error: { code?: string; message: string; data?: unknown }) => error,
    )
    const wasReached = reached.mock.calls.length > 0
    reached.mockRestore()
    const cell = expectedOutcome(meta.permission!, viewpoint)
    if (cell === "reached") {
      const words = `${outcome instanceof Error ? outcome.message : outcome} ${JSON.stringify(outcome)}`
      expect(wasReached, words).toBe(true)
      // A permission error of the database counts as a failure; a refusal must be an ORPCError.
      if (outcome !== "answered") expect(outcome, words).toBeInstanceOf(ORPCError)
    } else {
      expect(wasReached).toBe(false)
      expect(outcome).toMatchObject({ code: cell })
    }
  })
})

/** These need a new proof depending on the input: amount, changed account, changed settings. */
const commandsWithConditionalProof = [
  "claims.pay",
  "claims.payees.pay",
  "payouts.batches.release",
  "payouts.release",
  "refunds.process",
  "settings.reset",
  "settings.save",
]

/** Commands without a new proof, by the reason why not. */
const commandsWithoutProof: Record<string, string[]> = {
  "takes a right away, which must not wait": [
    "claims.endStandIn",
    "users.disable",
    "users.revokeInvitation",
    "users.serviceKeys.revoke",
    "settings.mailServer.withdraw",
    "webhooks.pause",
    "webhooks.remove",
  ],
  "goes to an address that was given with a proof": ["webhooks.deliveries.resend", "webhooks.resume", "webhooks.test"],
  "goes to oneself, or where it was to go already": [
    "settings.outbox.sendTemplate",
    "settings.outbox.retry",
    "settings.outbox.sendTest",
  ],
  "moves no money: that is the release": [
    "payouts.batches.add",
    "payouts.batches.edit",
    "payouts.batches.make",
    "payouts.batches.takeOut",
    "payouts.retry",
  ],
  "says what the bank did, or will not do": [
    "banking.correctOpening",
    "payouts.batches.cancel",
    "payouts.batches.export",
    "payouts.batches.replace",
    "payouts.batches.withdraw",
    "payouts.cancel",
    "payouts.complete",
    "payouts.fail",
    "payouts.return",
    "refunds.cancel",
  ],
  "is encrypted for a key that was made with a proof": ["backups.make"],
  "only hides a proposal": ["settings.skipSetUpSteps"],
  "is about papers": [
    "letters.templates.reset",
    "letters.templates.save",
    "policies.documents.types.create",
    "policies.documents.types.remove",
    "policies.documents.types.update",
    "settings.removeLogo",
    "privacy.retention.look",
  ],
}

describe("a new proof", () => {
  const declares = ({ contract: shape }: (typeof procedures)[number]) => "PROOF_REQUIRED" in shape["~orpc"].errorMap
  const asksAlways = procedures.filter((found) => declares(found) && !commandsWithConditionalProof.includes(found.path))

  test("each command that changes accounts, keys, payments, bank or settings requires or waives a proof", () => {
    const areas: Permission[] = [
      ...(["users.manage", "integrations.manage", "privacy.manage", "backups.manage", "settings.manage"] as const),
      ...(["banking.accounts", "payouts.write", "claims.standIns"] as const),
    ]
    const silent = procedures
      .filter((found) => found.meta.kind === "write" && areas.includes(found.meta.permission!) && !declares(found))
      .map(({ path }) => path)
    expect(silent.sort()).toEqual(Object.values(commandsWithoutProof).flat().sort())
    expect(procedures.filter(declares).map(({ path }) => path)).toEqual(
      expect.arrayContaining(commandsWithConditionalProof),
    )
  })

  test.each(asksAlways)("$path does nothing without a new proof", async ({ path, contract: shape }) => {
    const provenAt = app.clock.now().subtract({ minutes: 10 })
    const stale: UserActor = {
      ...app.people.admin,
      session: { id: randomUUID(), provenAt, proofBy: "password" } as never,
    }
    const context = {
      app: app.app,
      actor: stale,
      requestId: randomUUID(),
      headers: new Headers(),
      responseHeaders: new Headers(),
    }
    const asked = call(await bindProcedure(path), sampleInput(shape), { context })
    await expect(asked).rejects.toMatchObject({ code: "PROOF_REQUIRED", data: { by: "password" } })
  })
})

describe("the running server", () => {
  test("the server has only inventoried routes, with the inventory's permissions", async () => {
    const { url, inventory, headersOf } = await app.serve()
    const open = ["/api/health", "/api/ready", "/api/openapi.json"]
    const known = new Set([...routes.map((route) => route.path), ...open, "/api/live", "/rpc/*", "/api/v1/*"])
    const unknown = inventory.filter((route) => !known.has(route.url) && !route.url.startsWith("/api/reference"))
    expect(unknown).toEqual([])
    for (const route of routes) {
      expect(inventory.find((entry) => entry.url === route.path && entry.method === route.method)?.permission).toBe(
        route.permission,
      )
      for (const viewpoint of viewers) {
        const address = url + route.path.replace(/:\w+/g, () => randomUUID())
        const answer = await fetch(address, { method: route.method, headers: headersOf(people[viewpoint]) })
        const body = await answer.text()
        const cell = expectedOutcome(route.permission, viewpoint)
        const label = `${route.method} ${route.path} for ${viewpoint}: ${answer.status} ${body.slice(0, 200)}`
        if (cell === "reached") expect([401, 403], label).not.toContain(answer.status)
        else expect(body, label).toContain(cell)
        expect(answer.status, label).toBeLessThan(500)
      }
    }
    for (const viewpoint of viewers) {
      const label = `the integrators' address for ${viewpoint}`
      const members = await fetch(`${url}/api/v1/members?pageSize=25&sort=name`, {
        headers: headersOf(people[viewpoint]),
      })
      const cell = expectedOutcome("members.read", viewpoint)
      expect(await members.json(), label).toMatchObject(cell === "reached" ? { rows: [] } : { code: cell })
    }
    for (const viewpoint of viewers) {
      const stop = new AbortController()
      const live = await fetch(`${url}/api/live`, { headers: headersOf(people[viewpoint]), signal: stop.signal })
      expect(live.status).toBe(viewpoint === "anonymous" ? 401 : 200)
      stop.abort()
    }
    for (const path of open) expect((await fetch(url + path)).status, path).toBe(200)
  })

  test("the server refuses cross-site writes", async () => {
    const { url, headersOf } = await app.serve()
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/rpc/users/me`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headersOf(people.manager), ...headers },
        body: "{}",
      })
    expect((await send({ origin: "https://evil.test" })).status).toBe(403)
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403)
    expect((await send({ origin: url, "sec-fetch-site": "same-origin" })).status).not.toBe(403)
  })
})
