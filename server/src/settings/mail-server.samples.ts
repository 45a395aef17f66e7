import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export const password = "koeksister-and-rooibos"
const servers: SMTPServer[] = []

export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: { from: string; to: string[]; user: unknown; raw: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error("Invalid login")),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on("data", (part: Buffer) => parts.push(part))
      stream.on("end", () => {
        const from = session.envelope.mailFrom
        const raw = Buffer.concat(parts)
          .toString()
          .replace(/=\r?\n/g, "")
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ from: from ? from.address : "", to, user: session.user, raw })
        done(null, "Kept as number 7")
      })
    },
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  servers.push(server)
  return { received, port: (server.server.address() as AddressInfo).port }
}

export async function closeMailServers(): Promise<void> {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(resolve))
}
