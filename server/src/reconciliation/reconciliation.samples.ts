import type { contract } from "@milkwood/domain/contract"
import type { RemittanceDetail } from "@milkwood/domain/reconciliation/remittance.contract"
import type { ContractRouterClient } from "@orpc/contract"
import type { UserActor } from "../platform/calls/actor.ts"
import { type SentFile, sendFile } from "../test/send-file.ts"

type Server = Parameters<typeof sendFile>[0]
type Client = Pick<ContractRouterClient<typeof contract>, "reconciliation">
type RemittanceFile = Pick<SentFile, "name" | "content">

export const uploadRemittanceFile = (
  server: Server,
  actor: UserActor | null,
  invoiceId: string,
  { name, content }: RemittanceFile,
): Promise<Response> =>
  sendFile(server, actor, { path: "/api/remittances", of: ["invoiceId", invoiceId], name, content })

export async function createComparedRemittance(
  server: Server,
  actor: UserActor,
  client: Client,
  invoiceId: string,
  list: RemittanceFile,
): Promise<RemittanceDetail> {
  const answer = await uploadRemittanceFile(server, actor, invoiceId, list)
  if (!answer.ok) throw new Error(await answer.text())
  const { remittanceId } = (await answer.json()) as { remittanceId: string }
  return client.reconciliation.remittances.detail({ remittanceId })
}
