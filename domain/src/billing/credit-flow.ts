import type { Cents } from "../kernel/money.ts"

interface Arc {
  to: number
  /** Remaining capacity. */
  leftCents: Cents
  back: Arc
}

/**
 * A flow network in cents. An arc may start with capacity in both directions: its flow may then become negative. `fill`
 * is Dinic's algorithm.
 */
export class CreditFlow {
  readonly #arcs: Arc[][] = []

  node(): number {
    return this.#arcs.push([]) - 1
  }

  /** Adds an arc with a flow from `-backwardCents` to `forwardCents`. */
  arc(from: number, to: number, forwardCents: Cents, backwardCents: Cents = 0): Arc {
    const arc = { to, leftCents: forwardCents } as Arc
    arc.back = { to: from, leftCents: backwardCents, back: arc }
    this.#arcs[from]!.push(arc)
    this.#arcs[to]!.push(arc.back)
    return arc
  }

  /** Returns the amount pushed. */
  push(path: readonly Arc[], cents: Cents): Cents {
    const moved = path.reduce((least, { leftCents }) => Math.min(least, leftCents), cents)
    if (moved <= 0) return 0
    for (const arc of path) pushFlow(arc, moved)
    return moved
  }

  fill(source: number, sink: number): void {
    for (;;) {
      const levels = this.#levels(source)
      if (levels[sink] === undefined) return
      const next = this.#arcs.map(() => 0)
      while (this.#advance(source, sink, Number.POSITIVE_INFINITY, levels, next) > 0);
    }
  }

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

  /** Pushes along one shortest path; `next` is each node's first arc not yet known as a dead end. */
  #advance(node: number, sink: number, cents: Cents, levels: (number | undefined)[], next: number[]): Cents {
    if (node === sink) return cents
    const arcs = this.#arcs[node]!
    for (; next[node]! < arcs.length; next[node]!++) {
      const arc = arcs[next[node]!]!
      if (arc.leftCents <= 0 || levels[arc.to] !== levels[node]! + 1) continue
      const moved = this.#advance(arc.to, sink, Math.min(cents, arc.leftCents), levels, next)
      if (moved === 0) continue
      pushFlow(arc, moved)
      return moved
    }
    return 0
  }
}

function pushFlow(arc: Arc, cents: Cents): void {
  arc.leftCents -= cents
  arc.back.leftCents += cents
}
