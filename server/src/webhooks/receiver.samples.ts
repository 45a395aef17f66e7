import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

export class Receiver {
  readonly received: Received[] = []
  answer: (response: ServerResponse) => void = (response) => response.end("Thank you")
  readonly #server = createServer((request, response) => {
    let body = ""
    request.on("data", (part: Buffer) => {
      body += part.toString()
    })
    request.on("end", () => {
      this.received.push({ headers: request.headers, body })
      this.answer(response)
    })
  })

  static async started(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, "127.0.0.1")
    await once(receiver.#server, "listening")
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
