import { type Decision, refuse } from "./refusal.ts"

type Transition<S extends string> = { readonly from: readonly S[]; readonly to: S }

/** Texts for refusals: "A payment that is completed cannot be cancelled." */
export interface LifecycleWords<S extends string, A extends string> {
  readonly record: string
  readonly statuses?: Readonly<Record<S, string>>
  readonly done: Readonly<Record<A, string>>
}

export type Lifecycle<S extends string, A extends string> = {
  readonly name: string
  readonly words: LifecycleWords<S, A>
  readonly initial: S
  readonly states: readonly S[]
  readonly actions: readonly A[]
  /** Null when the action is not possible. */
  next(status: S, action: A): S | null
  /** Possible actions in table order, regardless of permissions. */
  actionsFrom(status: S): A[]
  toMermaid(): string
}

/**
 * A transition table for guards, buttons, tests and the diagram. An action whose target depends on the status has
 * several transitions: `approve: [{ from: ["a"], to: "b" }, { from: ["b"], to: "c" }]`. Throws at start-up for an
 * unreachable or unknown status, or two transitions of one action from one status.
 *
 *     const door = lifecycle({
 *       name: "door", initial: "closed", states: ["closed", "open"],
 *       actions: { open: { from: ["closed"], to: "open" }, close: { from: ["open"], to: "closed" } },
 *       words: { record: "A door that", done: { open: "opened", close: "closed" } },
 *     })
 *     step(door, { status: "open" }, "open") // WRONG_STATUS: A door that is open cannot be opened.
 */
/* @__NO_SIDE_EFFECTS__ */
export function lifecycle<const S extends string, const A extends string>(definition: {
  name: string
  initial: NoInfer<S>
  states: readonly S[]
  actions: Record<A, Transition<NoInfer<S>> | readonly Transition<NoInfer<S>>[]>
  words: LifecycleWords<NoInfer<S>, NoInfer<A>>
}): Lifecycle<S, A> {
  const { name, initial, states, words } = definition
  const actions = Object.keys(definition.actions) as A[]
  const table = new Map<S, Map<A, S>>(states.map((state) => [state, new Map()]))

  for (const action of actions) {
    for (const { from, to } of transitionsOf(definition.actions[action])) {
      if (!table.has(to)) throw new Error(`${name}: "${action}" leads to the unknown status "${to}"`)
      for (const state of from) {
        const row = table.get(state)
        if (!row) throw new Error(`${name}: "${action}" starts from the unknown status "${state}"`)
        if (row.has(action)) throw new Error(`${name}: "${action}" is declared twice for the status "${state}"`)
        row.set(action, to)
      }
    }
  }

  const reached = new Set<S>([initial])
  for (const state of reached) for (const to of table.get(state)?.values() ?? []) reached.add(to)
  const unreachable = states.filter((state) => !reached.has(state))
  if (!table.has(initial)) throw new Error(`${name}: the unknown initial status "${initial}"`)
  if (unreachable.length > 0) throw new Error(`${name}: no path leads to ${unreachable.join(", ")}`)

  return {
    name,
    words,
    initial,
    states,
    actions,
    next: (status, action) => table.get(status)?.get(action) ?? null,
    actionsFrom: (status) => [...(table.get(status)?.keys() ?? [])],
    toMermaid: () =>
      [
        "stateDiagram-v2",
        `  [*] --> ${initial}`,
        ...states.flatMap((state) => [...table.get(state)!].map(([action, to]) => `  ${state} --> ${to}: ${action}`)),
        ...states.filter((state) => table.get(state)!.size === 0).map((state) => `  ${state} --> [*]`),
      ].join("\n"),
  }
}

/** The next status, or WRONG_STATUS with a sentence. */
export function applyTransition<S extends string, A extends string>(
  { next, words }: Lifecycle<S, A>,
  { status }: { status: NoInfer<S> },
  action: NoInfer<A>,
): Decision<S, "WRONG_STATUS"> {
  const is = (words.statuses?.[status] ?? status).toLowerCase()
  return next(status, action) ?? refuse("WRONG_STATUS", `${words.record} is ${is} cannot be ${words.done[action]}.`)
}

function transitionsOf<S extends string>(value: Transition<S> | readonly Transition<S>[]): readonly Transition<S>[] {
  return "from" in value ? [value] : value
}
