import { type Day, realDay } from "@milkwood/domain/kernel/calendar"
import { oneLine } from "@milkwood/domain/kernel/text"
import {
  answerLimits,
  answerStatusOf,
  type PaymentAnswer,
  type PaymentAnswerLine,
  reasonWords,
} from "@milkwood/domain/payouts/payment-answer"
import { decodeText } from "../platform/files/decode-text.ts"
import { all, at, type Element, parseXml, textAt } from "../platform/files/read-xml.ts"
import { unreadable } from "../platform/files/unreadable.ts"

const notAnAnswer = "The file is not a bank response to a payment file (pain.002)."

/**
 * Parses a pain.002 of any version. Runs in a separate process (payment-answer-reader.ts). Throws `Unreadable` with a
 * message.
 */
export function readPaymentAnswer(bytes: Buffer): PaymentAnswer {
  const text = decodeText(bytes, notAnAnswer).replace(/^\ufeff/, "")
  if (!/^\s*</.test(text)) throw unreadable(notAnAnswer)
  const report = at(parseXml(text), "Document/CstmrPmtStsRpt")
  if (!report) throw unreadable(notAnAnswer)
  const group = at(report, "OrgnlGrpInfAndSts")
  const messageId = said(group, "OrgnlMsgId")
  if (messageId === "") throw unreadable("The file does not name the payment file that it responds to.")
  const instructions = all(report, "OrgnlPmtInfAndSts")
  const lines = instructions.flatMap((instruction) => all(instruction, "TxInfAndSts").map(lineOf))
  if (lines.length > answerLimits.lines) throw unreadable(`The file has more than ${answerLimits.lines} payments.`)
  // Our files have one instruction, so its status is the file's.
  const whole = [group, ...instructions].map((one) => said(one, one === group ? "GrpSts" : "PmtInfSts"))
  const about = [group, ...instructions].find((one) => reasonOf(one) !== null)
  const statuses = whole.map(answerStatusOf)
  return {
    messageId,
    day: dayOf(said(at(report, "GrpHdr"), "CreDtTm")),
    whole: statuses.includes("failed") ? "rejected" : statuses.includes("completed") ? "completed" : "underway",
    reason: reasonOf(about) ?? reasonWords("", ""),
    lines,
  }
}

const said = (element: Element | undefined, path: string): string =>
  oneLine(textAt(element, path)).slice(0, 140).toWellFormed()

function lineOf(found: Element): PaymentAnswerLine {
  const endToEndId = said(found, "OrgnlEndToEndId")
  const code = said(found, "TxSts")
  const status = answerStatusOf(code)
  if (endToEndId === "") throw unreadable("A payment in the file has no reference (OrgnlEndToEndId).")
  if (status === null) throw unreadable(`Payment ${endToEndId} has an unknown status: “${code}”.`)
  return { endToEndId, status, reason: reasonOf(found) ?? reasonWords("", "") }
}

function reasonOf(element: Element | undefined): string | null {
  const given = all(element, "StsRsnInf")[0]
  if (!given) return null
  const code = said(given, "Rsn/Cd") || said(given, "Rsn/Prtry")
  const remark = all(given, "AddtlInf")
    .map(({ text }) => oneLine(text))
    .join(" ")
  return reasonWords(code.slice(0, 35), remark.slice(0, 300).toWellFormed())
}

const dayOf = (written: string): Day | null => {
  const [year = "", month = "", date = ""] = written.slice(0, 10).split("-")
  return realDay(year, month, date)
}
