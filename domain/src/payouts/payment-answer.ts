import { type Day, maxDay, minDay } from "../kernel/calendar.ts"

export const answerStatuses = ["completed", "failed", "underway"] as const
export type AnswerStatus = (typeof answerStatuses)[number]

export interface PaymentAnswerLine {
  endToEndId: string
  status: AnswerStatus
  reason: string
}

/** A pain.002 answer: status of the file and of single payments. */
export interface PaymentAnswer {
  messageId: string
  day: Day | null
  /** Status of the whole file; "underway" if only single payments have a status. */
  whole: "rejected" | "completed" | "underway"
  reason: string
  lines: PaymentAnswerLine[]
}

export const answerLimits = { bytes: 40 * 1024 * 1024, lines: 20_000, memory: 256, time: 60_000 }

const reasons: Record<string, string> = {
  AC01: "The account number is wrong",
  AC02: "The account to pay from is wrong",
  AC03: "The payee's account number is wrong",
  AC04: "The account is closed",
  AC06: "The account is blocked",
  AC13: "The account type is wrong",
  AG01: "This type of payment is not allowed on the account",
  AG02: "The bank does not accept this type of payment",
  AM01: "The amount is zero",
  AM02: "The amount is above the limit",
  AM03: "The currency is wrong",
  AM04: "There is not enough money in the account",
  AM05: "The bank already received this payment",
  AM09: "The amount is wrong",
  AM10: "The control total is wrong",
  BE01: "The name does not match the account",
  BE05: "The bank does not recognise the sender of the file",
  DT01: "The date is wrong",
  DUPL: "The bank already received this payment",
  FF01: "The bank could not read the file",
  MD07: "The account holder has died",
  MS02: "Refused by the payee",
  MS03: "The bank gave no reason",
  RC01: "The branch code is wrong",
  RR04: "Refused for a regulatory reason",
}

export function answerReasonText(code: string, remark: string): string {
  const known = reasons[code]
  const said = [known, remark].filter(Boolean).join(": ")
  if (said === "") return code === "" ? "The bank gave no reason" : `Bank reason code ${code}`
  return code === "" ? said : `${said} (${code})`
}

export function answerStatusOf(code: string): AnswerStatus | null {
  if (code === "RJCT" || code === "CANC") return "failed"
  if (code === "ACSC" || code === "ACCC") return "completed"
  return /^(?:ACCP|ACSP|ACTC|ACWC|ACWP|ACFC|PDNG|RCVD|PART|PATC)$/.test(code) ? "underway" : null
}

/** The bank's day, limited to between the release and today. */
export const answerDayOf = (said: Day | null, executionOn: Day, releasedOn: Day, today: Day): Day =>
  minDay(maxDay(said ?? executionOn, releasedOn), today)
