import type { Day } from "@milkwood/domain/kernel/calendar"

/** Events by day. An event may add events for the same day or later. */
export class Diary {
  readonly #entries: { day: Day; happens: () => Promise<unknown> }[] = []

  on(day: Day, happens: () => Promise<unknown>): void {
    this.#entries.push({ day, happens })
  }

  /** Plays events in order of day, then of insertion. */
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
