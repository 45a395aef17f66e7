import type { UserActor } from "../platform/calls/actor.ts"
import type { TestApp } from "./app.ts"

/** A file on its way to a route that takes one, with the field that says what it is of. */
export interface SentFile {
  path: string
  of: readonly [field: string, id: string]
  name: string
  content: Buffer | string
}

/** Sends a file the way the screens do; answers the response. */
export function sendFile(
  server: Pick<Awaited<ReturnType<TestApp["serve"]>>, "url" | "headersOf">,
  actor: UserActor | null,
  { path, of: [field, id], name, content }: SentFile,
): Promise<Response> {
  // Written out by hand: the tests of screens run with a FormData that fetch does not know.
  const boundary = "milkwood-file"
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(`${part(`name="${field}"`)}${id}\r\n${part(`name="file"; filename="${name}"`)}`),
    Buffer.from(content as Buffer),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = { ...server.headersOf(actor), "content-type": `multipart/form-data; boundary=${boundary}` }
  return fetch(`${server.url}${path}`, { method: "POST", body: new Uint8Array(body), headers })
}
