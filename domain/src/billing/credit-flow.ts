import type { Cents } from "../kernel/money.ts"

/** A pipe between two nodes; each has a counterpart in the opposite direction. */
interface Arc {
  to: number
  /** The amount that the arc can still carry. */
  leftCents: Cents
  back: Arc
}

/**
 * A flow network in whole cents. An arc may carry an amount in both directions from the beginning: its lower bound is
 * then below zero. `push` moves a chosen amount along a path, and `fill` finds the maximum flow by Dinic's algorithm.
 */
export class CreditFlow {
  readonly #arcs: Arc[][] = []

  node(): number {
    return this.#arcs.push([]) - 1
  }

  /** Adds an arc that carries from `-backwardCents` to `forwardCents`. */
  arc(from: number, to: number, forwardCents: Cents, backwardCents: Cents = 0): Arc {
    const arc = { to, leftCents: forwardCents } as Arc
    arc.back = { to: from, leftCents: backwardCents, back: arc }
    this.#arcs[from]!.push(arc)
    this.#arcs[to]!.push(arc.back)
    return arc
  }

  /** Moves as much of an amount along a path as all of its arcs can carry; returns that amount. */
  push(path: readonly Arc[], cents: Cents): Cents {
    const moved = path.reduce((least, { leftCents }) => Math.min(least, leftCents), cents)
    if (moved <= 0) return 0
    for (const arc of path) carry(arc, moved)
    return moved
  }

  /** Raises the flow from `source` to `sink` to its maximum. */
  fill(source: number, sink: number): void {
    for (;;) {
      const levels = this.#levels(source)
      if (levels[sink] === undefined) return
      const next = this.#arcs.map(() => 0)
      while (this.#advance(source, sink, Number.POSITIVE_INFINITY, levels, next) > 0);
    }
  }

  /** The distance of each reachable node from the source, over arcs that can still carry something. */
  #levels(source: number): (number | undefined)[] {
    const levels: (number | undefined)[] = this.#arcs.map(() => undefined)
    levels[source] = 0
    const reached = [source]
    for (const node of reached)
      for (const { to, leftCents } of this.#arcs[node]!)
        if (leftCents > 0 && levels[to] === undefined) {
          levels[to] = levels[node]! + 1
          reached.push(to)
        }
    return levels
  }

  /** Moves an amount along one shortest path; `next` is the first arc of each node that has not turned out a dead end. */
  #advance(node: number, sink: number, cents: Cents, levels: (number | undefined)[], next: number[]): Cents {
    if (node === sink) return cents
    const arcs = this.#arcs[node]!
    for (; next[node]! < arcs.length; next[node]!++) {
      const arc = arcs[next[node]!]!
      if (arc.leftCents <= 0 || levels[arc.to] !== levels[node]! + 1) continue
      const moved = this.#advance(arc.to, sink, Math.min(cents, arc.leftCents), levels, next)
      if (moved === 0) continue
      carry(arc, moved)
      return moved
    }
    return 0
  }
}

function carry(arc: Arc, cents: Cents): void {
  arc.leftCents -= cents
  arc.back.leftCents += cents
}
