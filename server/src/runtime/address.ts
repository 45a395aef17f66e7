import { createServer } from "node:net"
import type { Config } from "./config.ts"
import { StartRefusedError } from "./start-refused.ts"

type Address = Pick<Config, "host" | "port">

/** Fails early with a readable reason if the address is in use. Returns the port, chosen if it is 0. */
export async function claimPort(address: Address): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once("error", (error) => reject(addressError(address, error)))
    probe.listen({ host: address.host, port: address.port }, () => {
      const found = probe.address()
      probe.close(() => resolve(typeof found === "object" && found ? found.port : address.port))
    })
  })
}

export function addressError({ host, port }: Address, { code, message }: NodeJS.ErrnoException): StartRefusedError {
  const known: Record<string, string> = {
    EADDRINUSE: `PORT: ${port} on ${host} is in use by another program; set PORT to a free one.`,
    EACCES: `PORT: this account may not listen on ${port}; set PORT to 1024 or above.`,
    EADDRNOTAVAIL: `HOST: ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST: the name ${host} is not known.`,
    EAI_AGAIN: `HOST: the name ${host} is not known.`,
  }
  return new StartRefusedError(known[code ?? ""] ?? `HOST and PORT: ${message}.`)
}
