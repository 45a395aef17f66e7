import type { Day } from "@milkwood/domain/kernel/calendar"

/** What happens on which day. What happens may write into it what follows from it, on that day or a later one. */
export class Diary {
  readonly #entries: { day: Day; happens: () => Promise<unknown> }[] = []

  on(day: Day, happens: () => Promise<unknown>): void {
    this.#entries.push({ day, happens })
  }

  /** Lets everything up to `last` happen, in the order of its days; of one day in the order in which it was written. */
  async play(last: Day, turnTo: (day: Day) => void): Promise<void> {
    for (;;) {
      const next = this.#entries.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))[0]
      if (!next || next.day > last) return
      this.#entries.splice(this.#entries.indexOf(next), 1)
      turnTo(next.day)
      await next.happens()
    }
  }
}
