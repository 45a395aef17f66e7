import { afterEach, expect, it, vi } from "vitest"
import { downloadFile } from "./download.ts"
import { registerProofPrompt } from "./proof.ts"

afterEach(() => vi.restoreAllMocks())

const proofRequiredAnswer = () =>
  Response.json(
    { defined: true, code: "PROOF_REQUIRED", status: 403, message: "Prove it.", data: { by: "code" } },
    { status: 403 },
  )

it("asks for a proof of identity if required, then downloads the file", async () => {
  URL.createObjectURL = vi.fn(() => "blob:file")
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {})
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementationOnce(async () => proofRequiredAnswer())
  fetched.mockImplementationOnce(async () => new Response("backup"))
  const prove = vi.fn(async () => true)
  const takeBack = registerProofPrompt(prove)
  await downloadFile("/api/backups/1/file")
  takeBack()
  expect(prove).toHaveBeenCalledExactlyOnceWith("code")
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(saved).toHaveBeenCalledOnce()
})

it("saves no file if the user does not prove their identity", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => proofRequiredAnswer())
  const takeBack = registerProofPrompt(async () => false)
  await expect(downloadFile("/api/backups/1/file")).rejects.toMatchObject({ code: "PROOF_REQUIRED" })
  takeBack()
})
