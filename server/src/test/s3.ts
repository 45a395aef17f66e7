import { createHash, createHmac } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Listener = (request: IncomingMessage, response: ServerResponse) => void
type S3Server = { configureBuckets(): Promise<unknown>; callback(): Listener }
const require = createRequire(import.meta.url)

// s3rver encrypts its continuation token with DES, which current OpenSSL lacks. 3DES with one key repeated is
// equivalent.
const crypto = require("node:crypto") as Record<"createCipheriv" | "createDecipheriv", (...asked: never) => unknown>
for (const name of ["createCipheriv", "createDecipheriv"] as const) {
  const known = crypto[name] as (cipher: string, key: Buffer, iv: Buffer) => unknown
  crypto[name] = (cipher: string, key: Buffer, iv: Buffer) =>
    cipher === "des" ? known("des-ede3-cbc", Buffer.concat([key, key, key]), iv) : known(cipher, key, iv)
}
const S3rver = require("@20minutes/s3rver") as new (options: object) => S3Server

/** Cuts the connection or never answers; undefined serves the request. */
type ConnectionFault = (request: IncomingMessage) => "cut" | "silence" | undefined

const account = { key: "S3RVER", secret: "S3RVER" }

/** Checks the AWS signature (version 4). The server's own check accepts "/bucket/" for "/bucket". */
function isSigned({ method, url = "", headers }: IncomingMessage): boolean {
  const parts = /Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(headers.authorization ?? "")
  if (!parts) return false
  const [, , scope, names, signature] = parts as unknown as string[]
  const { pathname, search } = new URL(url, "http://storage")
  const asked = [
    ...[method, pathname, search.slice(1).split("&").sort().join("&")],
    ...names!.split(";").map((name) => `${name}:${headers[name]}`),
    ...["", names, headers["x-amz-content-sha256"]],
  ].join("\n")
  const hash = createHash("sha256").update(asked).digest("hex")
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n")
  const signed = (key: string | Buffer, part: string) => createHmac("sha256", key).update(part).digest()
  const key = scope!.split("/").reduce<string | Buffer>(signed, `AWS4${account.secret}`)
  return signed(key, text).toString("hex") === signature
}

const wrongSecretAnswer = `<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>It does not match.</Message></Error>`

/** S3 storage in this process and a temporary folder; checks signatures (version 4) and can be taken offline. */
export interface TestS3 {
  url: string
  urlOf(change: { key?: string; secret?: string; bucket?: string; folder?: string }): string
  folder: string
  asked: { method: string; url: string; headers: IncomingMessage["headers"] }[]
  disturb(by: ConnectionFault | undefined): void
  close(): Promise<void>
}

export async function startS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-s3-"))
  const s3 = new S3rver({
    silent: true,
    allowMismatchedSignatures: true,
    directory: folder,
    configureBuckets: [{ name: "documents" }],
  })
  await s3.configureBuckets()
  const serve = s3.callback()
  const asked: TestS3["asked"] = []
  let disturbance: ConnectionFault | undefined
  const server = createServer((request, response) => {
    asked.push({ method: request.method!, url: request.url!, headers: request.headers })
    const how = disturbance?.(request)
    if (how === "cut") request.socket.destroy()
    else if (how === undefined && isSigned(request)) serve(request, response)
    else if (how === undefined) response.writeHead(403, { "content-type": "application/xml" }).end(wrongSecretAnswer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const urlOf: TestS3["urlOf"] = ({ key = account.key, secret = account.secret, bucket = "documents", folder = "" }) =>
    `http://${key}:${secret}@127.0.0.1:${port}/${bucket}${folder && `/${folder}`}`
  return {
    url: urlOf({}),
    urlOf,
    folder,
    asked,
    disturb(by) {
      disturbance = by
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
