import { once } from "node:events"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { billedParts, type LineToPrint } from "@milkwood/domain/billing/paper-lines"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import pino from "pino"
import { invoicePdf } from "../server/src/billing/invoice-document.ts"
import type { InvoiceDocument } from "../server/src/billing/invoice-pdf.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { type Bench, measureMs, requireTrue } from "./measure.ts"

const invoicesPerBatch = 50

export const invoicePdfs: Bench = {
  name: "invoice-pdfs",
  async run(say, flags) {
    const count = Number(flags.get("count") ?? (flags.has("small") ? 1_000 : 10_000))
    const app = new App({
      ...{ reactions: {}, jobs: [], clock: systemClock, publicUrl: "http://127.0.0.1:3000" },
      database: new Database("postgresql://nobody@127.0.0.1/nothing"),
      files: new FileStore("/nowhere"),
      log: pino({ level: "silent" }),
    })
    const reference = new Worker(join(import.meta.dirname, "invoice-pdfs.worker.ts"))
    const taken = { ours: 0, reference: 0, pages: 0, bytes: 0 }
    try {
      for (let from = -invoicesPerBatch; from < count; from += invoicesPerBatch) {
        const documents = Array.from({ length: invoicesPerBatch }, (_, place) =>
          createInvoiceDocument(from + invoicesPerBatch + place),
        )
        const made = { bytes: 0, pages: 0 }
        const ours = await measureMs(async () => {
          for (const document of documents) {
            const pdf = await invoicePdf({ app, line: "records" }, () => document)
            made.bytes += pdf.length
            made.pages += pageCountOf(pdf)
          }
        })
        reference.postMessage(documents)
        const [bare] = (await once(reference, "message")) as [{ ms: number; bytes: number; pages: number }]
        requireTrue(made.pages === bare.pages, `the reference draws the same pages (${made.pages}, ${bare.pages})`)
        if (from < 0) continue
        taken.ours += ours
        taken.reference += bare.ms
        taken.pages += made.pages
        taken.bytes += made.bytes
      }
    } finally {
      await reference.terminate()
      await app.database.close()
    }
    say(`${taken.pages} pages, ${Math.round(taken.bytes / 1024 / 1024)} MB`)
    return [
      {
        what: `${count} PDFs of invoices, each`,
        ours: taken.ours / count,
        reference: taken.reference / count,
        unit: "ms",
        against: "pdfkit alone drawing the same pages",
        atMost: 1 / 0.85,
      },
    ]
  },
}

const pageCountOf = (pdf: Buffer): number => pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0

const first = ["Thabo", "Lerato", "Pieter", "Ayesha", "Sipho", "Karin", "Nomvula", "Johan", "Zanele", "Rajesh"]
const last = ["Nkosi", "Botha", "Müller", "Naidoo", "van der Merwe", "Dlamini", "O'Reilly", "Mokoena", "Khumalo"]

function createInvoiceDocument(place: number): InvoiceDocument {
  const lines = Array.from({ length: 5 + (place % 41) }, (_, line): LineToPrint => {
    const name = `${first[(place + line) % 10]} ${last[(place * 3 + line) % 9]}`
    const unitCents = 350_00 + (place % 7) * 25_00
    const isLate = line % 12 === 11
    return {
      description: isLate
        ? `${name} joined on 2026-08-01, recorded 2026-09-20: August, ${formatMoney(unitCents, "ZAR")}`
        : `${name} - ${["Standard", "Silver", "Gold", "Platinum"][line % 4]}`,
      memberNumber: `M-${String(place * 50 + line).padStart(6, "0")}`,
      memberName: name,
      billedMonth: isLate ? "2026-08-01" : "2026-09-01",
      ...{ quantity: 1, unitCents, totalCents: unitCents },
    }
  })
  const subtotalCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  const vatCents = Math.round(subtotalCents * 0.15)
  const on = addDays("2026-09-01", place % 28)
  return {
    organisation: {
      logo: null,
      name: "Milkwood Group Assurance",
      vatNumber: "4123456789",
      address: "12 Protea Avenue\nNewlands\nCape Town\n7700",
      bankAccount: {
        bank: "Standard Bank",
        accountHolder: "Milkwood Group Assurance",
        accountNumber: "0012345678",
        branchCode: "051001",
      },
    },
    dateFormat: "YYYY-MM-DD",
    currency: "ZAR",
    createdAt: "2026-09-01T08:00:00Z",
    mark: null,
    number: `INV-2026-${String(place + 1).padStart(6, "0")}`,
    ...{ invoiceOn: on, dueOn: addDays(on, 30), periodStartOn: "2026-09-01", periodEndOn: "2026-09-30" },
    billTo: {
      groupName: `${last[place % 9]} Foods ${place}`,
      contactName: "Thandi Mokoena",
      contactEmail: `hr${place}@employer.example`,
      registrationNumber: "",
      vatNumber: "4987654321",
      address: "1 Main Road\nSoweto\n1804",
    },
    policyNumber: `GP-2026-${String(place + 1).padStart(6, "0")}`,
    ...{
      lines,
      parts: billedParts(lines, "2026-09-01", "ZAR"),
      copyOn: null,
      creditedCents: 0,
      paidCents: 0,
      writtenOffCents: 0,
    },
    subtotalCents,
    discountCents: 0,
    discountPercent: null,
    discountReason: "",
    vatCents,
    vat: [{ class: "standard", percent: 15, netCents: subtotalCents, vatCents }],
    totalCents: subtotalCents + vatCents,
    notes: "",
  }
}
