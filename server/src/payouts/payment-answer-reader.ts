import { readFileSync } from "node:fs"
import type { PaymentAnswer } from "@milkwood/domain/payouts/payment-answer"
import type { ReadFile } from "../platform/files/read-apart.ts"
import { readPaymentAnswer } from "./read-payment-answer.ts"

/** Runs in a separate process (read-apart.ts). */
const read: ReadFile<{ path: string }, PaymentAnswer> = ({ path }, deliver) =>
  deliver(readPaymentAnswer(readFileSync(path)))
export default read
