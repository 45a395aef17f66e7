import { join } from "node:path"
import { type DocumentType, documentTypeNames } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { serveApp } from "../app.ts"
import type { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { renderPdf } from "../platform/pdf/pdf.ts"
import type { Client } from "./cast.ts"
import type { Paper } from "./paper-pdf.ts"

const template = join(import.meta.dirname, "paper-pdf.ts")

const neededDocuments: Partial<Record<NonNullable<ClaimDetail["claimType"]>, DocumentType[]>> = {
  medical: ["medical_report", "hospital_bill"],
  maternity: ["hospital_bill"],
  disability: ["medical_report"],
  death: ["death_certificate", "id_document"],
  other: ["proof_of_relationship"],
}

export interface PaperUploader {
  /** Returns the updated draft. */
  attachPapers(sender: UserActor, client: Client, draft: ClaimDetail): Promise<ClaimDetail>
  openPapers(reader: UserActor, claim: ClaimDetail): Promise<void>
  /** Uploads one PDF per document type. */
  sendPolicyPapers(sender: UserActor, client: Client, policy: PolicyDetail, types: readonly string[]): Promise<void>
  /** Returns the id for preview and import. */
  sendStatement(sender: UserActor, accountId: string, file: { name: string; csv: string }): Promise<string>
  sendRemittance(sender: UserActor, invoiceId: string, file: { name: string; csv: string }): Promise<void>
  sendAnswer(sender: UserActor, batchId: string, xml: string): Promise<void>
  close(): Promise<void>
}

/** Calls the real upload routes in process. */
export async function openPaperUploader(app: App): Promise<PaperUploader> {
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
  const sendPaper = async (by: UserActor, to: string, documentType: string, paper: Paper) => {
    const bytes = await renderPdf<Paper>({ app, line: "records" }, template, () => paper)
    const form = new FormData()
    form.set("documentType", documentType)
    form.set("documentName", paper.title)
    const file = new Blob([new Uint8Array(bytes)], { type: "application/pdf" })
    form.set("file", file, `${paper.title.toLowerCase().replaceAll(" ", "-")}.pdf`)
    await send(by, `${to}/documents`, form)
  }
  const now = () => app.clock.now().toString()
  return {
    async attachPapers(by, client, draft) {
      const needed = (draft.claimType && neededDocuments[draft.claimType]) ?? []
      const ofFamily: DocumentType[] = draft.claimType === "death" && draft.dependent ? ["proof_of_relationship"] : []
      for (const documentType of [...needed, ...ofFamily]) {
        await sendPaper(by, `/api/claims/${draft.id}`, documentType, claimPaperOf(draft, documentType, now()))
      }
      return client.claims.detail({ claimId: draft.id })
    },
    async openPapers(by, claim) {
      for (const { id } of claim.documents) {
        sender = by
        const answer = await http.inject({ method: "GET", url: `/api/claims/${claim.id}/documents/${id}` })
        if (answer.statusCode !== 200) throw new Error(`a file was refused: ${answer.body}`)
      }
    },
    async sendPolicyPapers(by, client, policy, types) {
      for (const { id, name } of await client.policies.documents.types.list({})) {
        if (types.includes(name))
          await sendPaper(by, `/api/policies/${policy.id}`, id, policyPaperOf(policy, name, now()))
      }
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

function claimPaperOf(claim: ClaimDetail, documentType: DocumentType, createdAt: string): Paper {
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
  if (documentType === "hospital_bill") lines.push(["Amount due", formatMoney(claim.requestedAmountCents ?? 0, "ZAR")])
  return { from, title: documentTypeNames[documentType], createdAt, lines }
}

function policyPaperOf(policy: PolicyDetail, title: string, createdAt: string): Paper {
  const { information, coverage, contact, members, number } = policy
  const lines: Paper["lines"] = [
    ["Policy", number],
    ["Product", policy.productTypeName ?? "–"],
    ["From", information.startOn ?? "–"],
    ["Premium per member per month", formatMoney(coverage.premiumCents, "ZAR")],
    ["Members", String(members.total)],
    ["Signed by", `${contact.contactName}, ${contact.contactPosition}`],
  ]
  return { from: information.groupName, title, createdAt, lines }
}
