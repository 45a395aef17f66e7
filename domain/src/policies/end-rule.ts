/** How a month is paid in which cover ends or is interrupted: all of it, or the share of its days that were covered. */
export const endRules = ["whole month", "by days"] as const

export type EndRule = (typeof endRules)[number]

/** As people choose between them. */
export const endRuleNames: Record<EndRule, string> = {
  "whole month": "Whole month is paid",
  "by days": "Paid by days of cover",
}
