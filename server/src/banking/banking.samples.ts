import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import type { BankAccountRow, BankStatementDetail } from "@milkwood/domain/banking/banking.contract"
import type { BankAccountForm } from "@milkwood/domain/banking/banking-shape"
import type { contract } from "@milkwood/domain/contract"
import type { ContractRouterClient } from "@orpc/contract"
import type { UserActor } from "../platform/calls/actor.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { sendFile } from "../test/send-file.ts"
import { readStatementFile } from "./read-statement.ts"
import { statementFiles } from "./statement-files.samples.ts"
import { keepUpload } from "./upload-statement.ts"

type Client = Pick<ContractRouterClient<typeof contract>, "banking">

export const premiumAccount: BankAccountForm = {
  name: "Premium account",
  bank: "FNB",
  accountNumber: "62000000001",
  branchCode: "250655",
}

export const createBankAccount = (admin: Client, form: Partial<BankAccountForm> = {}): Promise<BankAccountRow> =>
  admin.banking.addAccount({ idempotencyKey: randomUUID(), account: { ...premiumAccount, ...form } })

export interface SampleLine {
  day: string
  text: string
  amountCents: number
}

/** A transaction history as downloaded from FNB's site: newest first. Cents. */
export const createFnbHistory = (accountNumber: string, openingCents: number, lines: readonly SampleLine[]): string =>
  statementFiles.fnb({ accountNumber, openingCents, lines: lines.map((line) => ({ ...line, reference: "" })) })

export interface BankDesk {
  app: TestApp
  server: Awaited<ReturnType<TestApp["serve"]>>
}

export async function openBankDesk(): Promise<BankDesk> {
  const app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  return { app, server: await app.serve() }
}

export function postStatementFile(
  { server }: { server: Pick<BankDesk["server"], "url" | "headersOf"> },
  actor: UserActor | null,
  accountId: string,
  name: string,
  content: Buffer | string,
): Promise<Response> {
  return sendFile(server, actor, { path: "/api/bank-statements", of: ["accountId", accountId], name, content })
}

export async function uploadStatementFile(
  desk: Parameters<typeof postStatementFile>[0],
  actor: UserActor,
  accountId: string,
  content: Buffer | string,
  name = "statement.csv",
): Promise<string> {
  const answer = await postStatementFile(desk, actor, accountId, name, content)
  if (!answer.ok) throw new Error(await answer.text())
  const { uploadId } = (await answer.json()) as { uploadId: string }
  return uploadId
}

export async function storeStatementUpload(
  app: Pick<TestApp, "app" | "transaction">,
  actor: UserActor,
  accountId: string,
  text: string,
): Promise<string> {
  const bytes = Buffer.from(text)
  const uploadId = randomUUID()
  const content = readStatementFile(bytes, "ZAR")
  const file = {
    name: "statement.csv",
    mime: "text/plain",
    content: await app.app.files.receive(Readable.from([bytes]), bytes.length),
  }
  await app.transaction(actor, (cx) => keepUpload(cx, { uploadId, accountId, file, content }))
  return uploadId
}

export async function importSampleStatement(
  desk: BankDesk,
  actor: UserActor,
  accountId: string,
  content: Buffer | string,
): Promise<BankStatementDetail> {
  const uploadId = await uploadStatementFile(desk, actor, accountId, content)
  return desk.app.as(actor).banking.import({ uploadId, idempotencyKey: randomUUID() })
}

export type LineImporter = (...made: Omit<SampleLine, "day">[]) => Promise<BankLineRow[]>

/** Imports one file for each day from 2 November 2026; each file opens at the previous closing balance. */
export function createLineImporter(
  desk: BankDesk,
  account: Pick<BankAccountRow, "id" | "accountNumber">,
): LineImporter {
  const manager = desk.app.as(desk.app.people.manager)
  let opening = 1_000_00
  let date = 2
  return async (...made) => {
    const day = `2026-11-${String(date++).padStart(2, "0")}`
    const lines = made.map((line) => ({ ...line, day }))
    const content = createFnbHistory(account.accountNumber, opening, lines)
    opening += made.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const { id } = await importSampleStatement(desk, desk.app.people.manager, account.id, content)
    const { rows } = await manager.banking.lines({ statementId: id, tab: "all", sort: "day", dir: "asc" })
    return rows
  }
}
