import { join } from "node:path"
import { type DocumentType, documentTypeNames } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { formatRand } from "@milkwood/domain/kernel/money"
import { serveApp } from "../app.ts"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import type { Client } from "./cast.ts"
import type { Paper } from "./paper-pdf.ts"

const template = join(import.meta.dirname, "paper-pdf.ts")

const needed: Partial<Record<NonNullable<ClaimDetail["claimType"]>, DocumentType[]>> = {
  medical: ["medical_report", "hospital_bill"],
  maternity: ["hospital_bill"],
  disability: ["medical_report"],
  death: ["death_certificate"],
  other: ["proof_of_relationship"],
}

export interface Post {
  /** Sends what belongs to a draft with it, as the form's upload does; answers the draft as it is then. */
  attachPapers(sender: UserActor, client: Client, draft: ClaimDetail): Promise<ClaimDetail>
  /** Uploads a bank statement, as the import does; answers what it is previewed and imported by. */
  sendStatement(sender: UserActor, accountId: string, file: { name: string; csv: string }): Promise<string>
  /** Lays an employer's remittance list against its invoice, as the upload does. */
  sendRemittance(sender: UserActor, invoiceId: string, file: { name: string; csv: string }): Promise<void>
  /** Uploads the bank's answer to a batch's payment file. */
  sendAnswer(sender: UserActor, batchId: string, xml: string): Promise<void>
  close(): Promise<void>
}

/** Where the demo's people send their documents: the upload of the real server, without a network in between. */
export async function openPost(app: App): Promise<Post> {
  let sender: UserActor
  const http = await serveApp({ app, sessionActor: async () => sender, requestsPerMinute: 1_000_000 })
  const send = async (by: UserActor, url: string, form: FormData) => {
    const body = new Response(form)
    sender = by
    const answer = await http.inject({
      method: "POST",
      url,
      headers: { "content-type": body.headers.get("content-type")! },
      payload: Buffer.from(await body.arrayBuffer()),
    })
    if (answer.statusCode !== 200) throw new Error(`a file was refused: ${answer.body}`)
    return answer
  }
  return {
    async attachPapers(by, client, draft) {
      for (const documentType of (draft.claimType && needed[draft.claimType]) ?? []) {
        const form = new FormData()
        const name = documentTypeNames[documentType]
        form.set("documentType", documentType)
        form.set("documentName", name)
        const bytes = await renderPdf<Paper>({ app, line: "records" }, template, () =>
          paperOf(draft, documentType, app.clock.now().toString()),
        )
        form.set(
          "file",
          new Blob([new Uint8Array(bytes)], { type: "application/pdf" }),
          `${documentType.replaceAll("_", "-")}.pdf`,
        )
        await send(by, `/api/claims/${draft.id}/documents`, form)
      }
      return client.claims.detail({ claimId: draft.id })
    },
    async sendStatement(by, accountId, { name, csv }) {
      const form = new FormData()
      form.set("accountId", accountId)
      form.set("file", new Blob([csv], { type: "text/csv" }), name)
      const answer = await send(by, "/api/bank-statements", form)
      return answer.json<{ uploadId: string }>().uploadId
    },
    async sendRemittance(by, invoiceId, { name, csv }) {
      const form = new FormData()
      form.set("invoiceId", invoiceId)
      form.set("file", new Blob([csv], { type: "text/csv" }), name)
      await send(by, "/api/remittances", form)
    },
    async sendAnswer(by, batchId, xml) {
      const form = new FormData()
      form.set("file", new Blob([xml], { type: "text/xml" }), "pain002.xml")
      await send(by, `/api/payment-batches/${batchId}/answers`, form)
    },
    close: () => http.close(),
  }
}

function paperOf(claim: ClaimDetail, documentType: DocumentType, createdAt: string): Paper {
  const { firstName, lastName } = claim.member
  const medical = claim.medical
  const from = medical?.hospitalName || "Department of Home Affairs"
  const lines: Paper["lines"] = [
    ["Name", `${firstName} ${lastName}`],
    ["Date of the incident", claim.incidentOn ?? "–"],
  ]
  if (documentType === "medical_report") {
    lines.push(["Diagnosis", medical?.diagnosis ?? ""], ["Treatment", medical?.treatmentDetails ?? ""])
    lines.push(["Signed by", medical?.doctorName ?? ""])
  }
  if (documentType === "hospital_bill") lines.push(["Amount due", formatRand(claim.requestedAmountCents ?? 0)])
  return { from, title: documentTypeNames[documentType], createdAt, lines }
}
