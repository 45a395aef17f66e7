import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

export interface Receiver {
  url: string
  received: { headers: IncomingHttpHeaders; body: string }[]
  answer: (response: ServerResponse) => void
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    receiver.received.push({ headers: request.headers, body: await text(request) })
    receiver.answer(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/milkwood`,
    received: [],
    answer: (response) => response.end("Thank you"),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
