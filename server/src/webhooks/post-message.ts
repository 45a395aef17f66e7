import { createHmac } from "node:crypto"
import http from "node:http"
import https from "node:https"
import { isIP } from "node:net"
import { AddressRefused, guardedLookup, hostOf, mayReach } from "./reach.ts"

/** How long an answer may take, in milliseconds. */
const patienceMs = 10_000
/** So much of an answer is read, in bytes, and kept, in characters. */
const mostRead = 4_096
const mostKept = 300

const prefix = "whsec_"

/** A secret as Standard Webhooks writes one. */
export const writtenSecret = (random: Buffer): string => prefix + random.toString("base64")

/** The headers of a message of Standard Webhooks: its id, the moment of the try, a signature by each of the secrets. */
export function signedHeaders(
  id: string,
  at: Temporal.Instant,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}

/** What came of a try. `status` is null where nobody answered. */
export interface Answer {
  status: number | null
  ms: number
  said: string
}

interface Message {
  url: string
  body: string
  headers: Record<string, string>
  /** Networks that may be reached although they are not the internet. */
  networks: readonly string[]
}

/**
 * Posts a message and answers what was said. It is followed nowhere else, waits ten seconds, reads little, and goes to no
 * address that is not of the internet: each is looked at when it is connected to. Throws when `stopping` is set alone.
 */
export async function postMessage(message: Message, stopping: AbortSignal): Promise<Answer> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const timeout = AbortSignal.timeout(patienceMs)
  try {
    const { status, said } = await post(message, AbortSignal.any([timeout, stopping]))
    return { status, ms: took(), said: readable(said) }
  } catch (error) {
    stopping.throwIfAborted()
    return { status: null, ms: took(), said: timeout.aborted ? "It did not answer within 10 seconds." : reason(error) }
  }
}

function post({ url: text, body, headers, networks }: Message, signal: AbortSignal) {
  const url = new URL(text)
  const host = hostOf(url)
  // A host that is an address is not looked up.
  if (isIP(host) && !mayReach(host, networks)) throw new AddressRefused(host)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; said: string }>()
  const request = (url.protocol === "https:" ? https : http).request(url, {
    method: "POST",
    // A connection of its own, so that none is used that was made to something else.
    agent: false,
    lookup: guardedLookup(networks),
    signal,
    maxHeaderSize: 16_384,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "Milkwood-Webhooks/1",
      ...headers,
    },
  })
  // Once there is an answer it stands, however its body ends.
  let answered: (() => void) | undefined
  request.on("error", (error) => (answered ? answered() : reject(error)))
  request.on("response", (response) => {
    const parts: Buffer[] = []
    let read = 0
    const done = () => {
      resolve({ status: response.statusCode!, said: Buffer.concat(parts).toString("utf8") })
      request.destroy()
    }
    response.on("data", (part: Buffer) => {
      parts.push(part)
      read += part.length
      if (read >= mostRead) done()
    })
    response.on("end", done)
    response.on("error", done)
    answered = done
  })
  // Another protocol is spoken by no webhook. Left alone, such an answer would end in nothing.
  request.on("upgrade", ({ statusCode }, socket) => {
    socket.destroy()
    resolve({ status: statusCode!, said: "" })
  })
  request.on("close", () => reject(new Error("the connection was closed")))
  request.end(body)
  return promise
}

/** What a program said, as a database keeps it: it may be anything. */
function readable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, mostKept)
    .toWellFormed()
}

const known: Record<string, string> = {
  ENOTFOUND: "Nobody knows an address of that name.",
  EAI_AGAIN: "The name could not be looked up.",
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was ended before an answer.",
  EHOSTUNREACH: "The address cannot be reached.",
  ENETUNREACH: "The address cannot be reached.",
  CERT_HAS_EXPIRED: "Its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is signed by nobody who is trusted.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate is signed by nobody who is trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "Its certificate is signed by nobody who is trusted.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Its certificate is for another name.",
}

function reason(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof AddressRefused) return at.message
    if (at instanceof AggregateError && at.errors.length > 0) return reason(at.errors[0])
    const { code } = at as NodeJS.ErrnoException
    if (code && known[code]) return known[code]
  }
  return `There was no answer (${readable((error as Error).message)}).`
}
