/** What a month owes in which cover ends: all of it, or the share of its days that were covered. */
export const endRules = ["whole month", "by days"] as const

export type EndRule = (typeof endRules)[number]
