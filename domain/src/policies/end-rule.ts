/** Premium for a month in which cover ends or is interrupted: the whole month, or pro rata by covered days. */
export const endRules = ["whole month", "by days"] as const

export type EndRule = (typeof endRules)[number]

export const endRuleNames: Record<EndRule, string> = {
  "whole month": "Paid for the whole month",
  "by days": "Paid per day of cover",
}
