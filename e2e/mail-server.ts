import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"

export interface Received {
  to: string[]
  raw: string
}

export async function openMailServer() {
  const mails: Received[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        })
        for (const look of waiting) look()
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as AddressInfo

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async mailTo(address: string, fits: (raw: string) => boolean = () => true): Promise<string> {
      const found = () => mails.find((mail) => mail.to.includes(address) && fits(mail.raw))?.raw
      const there = found()
      if (there) return there
      return new Promise((resolve, reject) => {
        const look = () => {
          const raw = found()
          if (raw === undefined) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(raw)
        }
        const timer = setTimeout(() => reject(new Error(`no such mail to ${address} came`)), 60_000)
        waiting.add(look)
      })
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type MailServer = Awaited<ReturnType<typeof openMailServer>>

export function findLink(raw: string, start: string): string {
  const text = raw.replace(/=\r?\n/g, "").replace(/=3D/g, "=")
  const at = text.indexOf(start)
  if (at < 0) throw new Error(`no link that starts with ${start} in the mail`)
  return /^\S+/.exec(text.slice(at))![0].replace(/[)>"'.,]+$/, "")
}
