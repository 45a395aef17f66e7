import { describe, expect, it } from "vitest"
import { applyTransition, lifecycle } from "./lifecycle.ts"

const order = lifecycle({
  name: "order",
  initial: "draft",
  states: ["draft", "first", "second", "done", "rejected"],
  actions: {
    submit: { from: ["draft"], to: "first" },
    approve: [
      { from: ["first"], to: "second" },
      { from: ["second"], to: "done" },
    ],
    reject: { from: ["first", "second"], to: "rejected" },
  },
  words: {
    record: "An order that",
    statuses: {
      draft: "Draft",
      first: "In its first stage",
      second: "In its second",
      done: "Done",
      rejected: "Rejected",
    },
    done: { submit: "submitted", approve: "approved", reject: "rejected" },
  },
})

describe("a lifecycle", () => {
  const table = {
    draft: { submit: "first" },
    first: { approve: "second", reject: "rejected" },
    second: { approve: "done", reject: "rejected" },
    done: {},
    rejected: {},
  } as Record<string, Record<string, string>>

  it.each(
    order.states.flatMap((status) => order.actions.map((action) => [status, action] as const)),
  )("the next status of %s × %s matches the table", (status, action) =>
    expect(order.next(status, action)).toBe(table[status]![action] ?? null))
  it("a step returns the next status or the reason for refusal", () => {
    expect(applyTransition(order, { status: "first" }, "approve")).toBe("second")
    expect(applyTransition(order, { status: "first" }, "submit")).toEqual({
      refused: "WRONG_STATUS",
      message: "An order that is in its first stage cannot be submitted.",
    })
  })
  it("a lifecycle lists the possible actions of a status", () => {
    expect(order.actionsFrom("first")).toEqual(["approve", "reject"])
    expect(order.actionsFrom("done")).toEqual([])
  })
  it("a lifecycle produces its Mermaid diagram", () =>
    expect(order.toMermaid()).toBe(
      [
        "stateDiagram-v2",
        "  [*] --> draft",
        "  draft --> first: submit",
        "  first --> second: approve",
        "  first --> rejected: reject",
        "  second --> done: approve",
        "  second --> rejected: reject",
        "  done --> [*]",
        "  rejected --> [*]",
      ].join("\n"),
    ))
})

describe("an invalid lifecycle is refused at definition", () => {
  const states = ["a", "b", "c"] as const
  const words = { record: "A thing that", done: { go: "moved" } }
  it("refuses a lifecycle with an unreachable status", () =>
    expect(() =>
      lifecycle({ name: "x", initial: "a", states, actions: { go: { from: ["a", "c"], to: "b" } }, words }),
    ).toThrow("x: no path leads to c"))
  it("refuses a lifecycle in which an action has two transitions from one status", () =>
    expect(() =>
      lifecycle({
        name: "x",
        initial: "a",
        states,
        actions: {
          go: [
            { from: ["a"], to: "b" },
            { from: ["a"], to: "c" },
          ],
        },
        words,
      }),
    ).toThrow('x: "go" is declared twice for the status "a"'))
  it("refuses a lifecycle with an unknown status", () => {
    const unknown = "z" as "a"
    expect(() =>
      lifecycle({ name: "x", initial: "a", states, actions: { go: { from: ["a"], to: unknown } }, words }),
    ).toThrow("z")
    expect(() =>
      lifecycle({ name: "x", initial: "a", states, actions: { go: { from: [unknown], to: "b" } }, words }),
    ).toThrow("z")
    expect(() =>
      lifecycle({ name: "x", initial: unknown, states: ["a"], actions: {}, words: { ...words, done: {} } }),
    ).toThrow("z")
  })
})
