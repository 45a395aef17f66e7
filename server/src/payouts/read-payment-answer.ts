import { type Day, validDay } from "@milkwood/domain/kernel/calendar"
import { normalizeLine } from "@milkwood/domain/kernel/text"
import {
  answerLimits,
  answerReasonText,
  answerStatusOf,
  type PaymentAnswer,
  type PaymentAnswerLine,
} from "@milkwood/domain/payouts/payment-answer"
import { decodeText } from "../platform/files/decode-text.ts"
import { all, type Element, elementAt, parseXml, textAt } from "../platform/files/read-xml.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"

const notAnAnswerMessage = "The file is not a bank response to a payment file (pain.002)."

/**
 * Parses a pain.002 of any version. Runs in a separate process (payment-answer-reader.ts). Throws `Unreadable` with a
 * message.
 */
export function readPaymentAnswer(bytes: Buffer): PaymentAnswer {
  const text = decodeText(bytes, notAnAnswerMessage).replace(/^\ufeff/, "")
  if (!/^\s*</.test(text)) throw unreadableFile(notAnAnswerMessage)
  const report = elementAt(parseXml(text), "Document/CstmrPmtStsRpt")
  if (!report) throw unreadableFile(notAnAnswerMessage)
  const group = elementAt(report, "OrgnlGrpInfAndSts")
  const messageId = elementTextAt(group, "OrgnlMsgId")
  if (messageId === "") throw unreadableFile("The file does not name the payment file that it responds to.")
  const instructions = all(report, "OrgnlPmtInfAndSts")
  const lines = instructions.flatMap((instruction) => all(instruction, "TxInfAndSts").map(readAnswerLine))
  if (lines.length > answerLimits.lines) throw unreadableFile(`The file has more than ${answerLimits.lines} payments.`)
  // Our files have one instruction, so its status applies to the whole file.
  const whole = [group, ...instructions].map((one) => elementTextAt(one, one === group ? "GrpSts" : "PmtInfSts"))
  const about = [group, ...instructions].find((one) => reasonOf(one) !== null)
  const statuses = whole.map(answerStatusOf)
  return {
    messageId,
    day: parseDayPart(elementTextAt(elementAt(report, "GrpHdr"), "CreDtTm")),
    whole: statuses.includes("failed") ? "rejected" : statuses.includes("completed") ? "completed" : "underway",
    reason: reasonOf(about) ?? answerReasonText("", ""),
    lines,
  }
}

const elementTextAt = (element: Element | undefined, path: string): string =>
  normalizeLine(textAt(element, path)).slice(0, 140).toWellFormed()

function readAnswerLine(found: Element): PaymentAnswerLine {
  const endToEndId = elementTextAt(found, "OrgnlEndToEndId")
  const code = elementTextAt(found, "TxSts")
  const status = answerStatusOf(code)
  if (endToEndId === "") throw unreadableFile("A payment in the file has no reference (OrgnlEndToEndId).")
  if (status === null) throw unreadableFile(`Payment ${endToEndId} has an unknown status: “${code}”.`)
  return { endToEndId, status, reason: reasonOf(found) ?? answerReasonText("", "") }
}

function reasonOf(element: Element | undefined): string | null {
  const given = all(element, "StsRsnInf")[0]
  if (!given) return null
  const code = elementTextAt(given, "Rsn/Cd") || elementTextAt(given, "Rsn/Prtry")
  const remark = all(given, "AddtlInf")
    .map(({ text }) => normalizeLine(text))
    .join(" ")
  return answerReasonText(code.slice(0, 35), remark.slice(0, 300).toWellFormed())
}

const parseDayPart = (written: string): Day | null => {
  const [year = "", month = "", date = ""] = written.slice(0, 10).split("-")
  return validDay(year, month, date)
}
