import { describe, expect, it } from "vitest"
import { type CallContext, createLink } from "./api.ts"
import { errorTextOf, isUnreachable, refusalCodeOf } from "./errors.ts"

const options = { context: {} as CallContext }

describe("a call", () => {
  it("a call sends JSON, marks background requests and returns the answer's content", async () => {
    const sent: { path: string; body: unknown; headers: unknown }[] = []
    const link = createLink(async (path, { body, headers }) => {
      sent.push({ path, body: JSON.parse(body as string), headers })
      return Response.json({ json: { total: 3 } })
    })
    expect(await link.call(["members", "list"], { page: 2, search: undefined }, options)).toEqual({ total: 3 })
    await link.call(["users", "me"], undefined, { context: { background: true } })
    expect(sent).toEqual([
      { path: "/rpc/members/list", body: { json: { page: 2 } }, headers: { "content-type": "application/json" } },
      {
        path: "/rpc/users/me",
        body: {},
        headers: { "content-type": "application/json", "x-milkwood-background": "1" },
      },
    ])
  })

  it("a call returns undefined for an empty answer", async () => {
    const link = createLink(async () => Response.json({}))
    expect(await link.call(["users", "signOut"], {}, options)).toBeUndefined()
  })

  it("a call rejects with the contract's refusal and its fields", async () => {
    const refusal = { defined: true, code: "STALE", status: 409, message: "Somebody was faster.", data: { version: 3 } }
    const link = createLink(async () => Response.json({ json: refusal }, { status: 409 }))
    const error = await link.call(["members", "edit"], {}, options).catch((thrown: unknown) => thrown)
    expect(refusalCodeOf(error)).toBe("STALE")
    expect(error).toMatchObject({ message: "Somebody was faster.", data: { version: 3 }, status: 409 })
  })

  it("a proxy's own error page counts as an unreachable server", async () => {
    const link = createLink(async () => new Response("<h1>Bad gateway</h1>", { status: 502 }))
    const error = await link.call(["members", "list"], {}, options).catch((thrown: unknown) => thrown)
    expect(isUnreachable(error)).toBe(true)
    expect(errorTextOf(error)).toContain("went wrong")
  })

  it("a call without an answer counts as an unreachable server", async () => {
    const link = createLink(() => Promise.reject(new TypeError("Failed to fetch")))
    const error = await link.call(["members", "list"], {}, options).catch((thrown: unknown) => thrown)
    expect(isUnreachable(error)).toBe(true)
  })
})
