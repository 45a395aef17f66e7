import { randomUUID } from "node:crypto"
import type { PaymentFileFormat } from "@milkwood/domain/payouts/batch"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import type { Client } from "../test/app.ts"

export const stepInputOf = ({ id, version }: { id: string; version: number }) => ({
  batchId: id,
  version,
  idempotencyKey: randomUUID(),
})

export async function createBatch(
  maker: Pick<Client, "payouts">,
  bankAccountId: string,
  payoutIds: string[],
  format: PaymentFileFormat = "pain001",
): Promise<BatchDetail> {
  const { firstDay } = await maker.payouts.batches.choices()
  const asked = { bankAccountId, executionOn: firstDay, format, payoutIds }
  return maker.payouts.batches.make({ idempotencyKey: randomUUID(), ...asked })
}

export function createPainAnswer(
  messageId: string,
  payments: { endToEndId: string; status: string; code?: string; remark?: string }[],
  whole = "PART",
): string {
  const reason = ({ code, remark }: { code?: string; remark?: string }) =>
    code ? `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${remark ? `<AddtlInf>${remark}</AddtlInf>` : ""}</StsRsnInf>` : ""
  const lines = payments.map(
    (payment) =>
      `<TxInfAndSts><OrgnlEndToEndId>${payment.endToEndId}</OrgnlEndToEndId><TxSts>${payment.status}</TxSts>${reason(payment)}</TxInfAndSts>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
<GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-11-02T18:00:00+02:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId><GrpSts>${whole}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${messageId}</OrgnlPmtInfId>${lines.join("\n")}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`
}
