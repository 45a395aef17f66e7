import type { PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import type { UserActor } from "../platform/calls/actor.ts"
import type { Client, TestApp } from "../test/app.ts"

export const pdf = "%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n"

export type Server = Awaited<ReturnType<TestApp["serve"]>>

export async function findDocumentType(client: Client, name: string): Promise<string> {
  const type = (await client.policies.documents.types.list({})).find((each) => each.name === name)
  if (!type) throw new Error(`there is no type ${name}`)
  return type.id
}

export function uploadDocument(
  server: Server,
  actor: UserActor,
  at: { policyId: string; documentId?: string },
  file: File = new File([pdf], "form.pdf"),
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set("file", file)
  const place = at.documentId ? `/${at.documentId}` : ""
  return fetch(`${server.url}/api/policies/${at.policyId}/documents${place}`, {
    method: "POST",
    headers: server.headersOf(actor),
    body: form,
  })
}

export async function createDocument(
  server: Server,
  actor: UserActor,
  { policyId, documentType, name }: { policyId: string; documentType: string; name?: string },
): Promise<PolicyDocuments["documents"][number]> {
  const fields = { documentType, ...(name !== undefined && { documentName: name }) }
  const answer = await uploadDocument(server, actor, { policyId }, undefined, fields)
  if (answer.status !== 200) throw new Error(await answer.text())
  const { documents } = (await answer.json()) as PolicyDocuments
  return documents.findLast((document) => document.name === (name ?? "form.pdf"))!
}
