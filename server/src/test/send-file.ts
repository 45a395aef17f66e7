import type { UserActor } from "../platform/calls/actor.ts"
import type { TestApp } from "./app.ts"

export interface SentFile {
  path: string
  of?: readonly [field: string, id: string]
  name: string
  content: Buffer | string
}

export function sendFile(
  server: Pick<Awaited<ReturnType<TestApp["serve"]>>, "url" | "headersOf">,
  actor: UserActor | null,
  { path, of, name, content }: SentFile,
): Promise<Response> {
  // Built by hand: screen tests run with a FormData that fetch does not recognise.
  const boundary = "milkwood-file"
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(of ? `${part(`name="${of[0]}"`)}${of[1]}\r\n` : ""),
    Buffer.from(part(`name="file"; filename="${name}"`)),
    Buffer.from(content as Buffer),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = { ...server.headersOf(actor), "content-type": `multipart/form-data; boundary=${boundary}` }
  return fetch(`${server.url}${path}`, { method: "POST", body: new Uint8Array(body), headers })
}
