import { createHmac } from "node:crypto"
import http from "node:http"
import https from "node:https"
import { isIP } from "node:net"
import { AddressRefused, createGuardedLookup, hostOf, isAllowedAddress } from "./reach.ts"

/** Time limit of an answer, in milliseconds. */
const answerTimeoutMs = 10_000
/** Bytes read and characters stored of an answer. */
const maxAnswerBytes = 4_096
const maxAnswerCharacters = 300

const prefix = "whsec_"

export const formatSecret = (random: Buffer): string => prefix + random.toString("base64")

/** Standard Webhooks headers: id, instant of the try, and a signature per secret. */
export function signHeaders(
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

export interface Answer {
  status: number | null
  ms: number
  said: string
}

interface Message {
  url: string
  body: string
  headers: Record<string, string>
  networks: readonly string[]
}

/**
 * Follows no redirects, waits ten seconds and limits the answer's size. Addresses are checked on connecting: only
 * public ones are allowed. Throws only if `stopping` is set.
 */
export async function postMessage(message: Message, stopping: AbortSignal): Promise<Answer> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const timeout = AbortSignal.timeout(answerTimeoutMs)
  try {
    const { status, said } = await postOnce(message, AbortSignal.any([timeout, stopping]))
    return { status, ms: took(), said: toReadableText(said) }
  } catch (error) {
    stopping.throwIfAborted()
    return {
      status: null,
      ms: took(),
      said: timeout.aborted ? "No response within 10 seconds." : networkErrorText(error),
    }
  }
}

function postOnce({ url: text, body, headers, networks }: Message, signal: AbortSignal) {
  const url = new URL(text)
  const host = hostOf(url)
  // Node does not call `lookup` for IP addresses, so they are checked here.
  if (isIP(host) && !isAllowedAddress(host, networks)) throw new AddressRefused(host)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; said: string }>()
  const request = (url.protocol === "https:" ? https : http).request(url, {
    method: "POST",
    // A new connection, since a pooled one would skip the address check.
    agent: false,
    lookup: createGuardedLookup(networks),
    signal,
    maxHeaderSize: 16_384,
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "Milkwood-Webhooks/1",
      ...headers,
    },
  })
  // After the response's headers, an error in its body does not change the outcome.
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
      if (read >= maxAnswerBytes) done()
    })
    response.on("end", done)
    response.on("error", done)
    answered = done
  })
  // Without this handler, a protocol upgrade would never end the try.
  request.on("upgrade", ({ statusCode }, socket) => {
    socket.destroy()
    resolve({ status: statusCode!, said: "" })
  })
  request.on("close", () => reject(new Error("the connection was closed")))
  request.end(body)
  return promise
}

function toReadableText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, maxAnswerCharacters)
    .toWellFormed()
}

const knownNetworkErrors: Record<string, string> = {
  ENOTFOUND: "The host name was not found.",
  EAI_AGAIN: "The host name could not be looked up.",
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before a response.",
  EHOSTUNREACH: "The address cannot be reached.",
  ENETUNREACH: "The address cannot be reached.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is not from a trusted authority.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is not from a trusted authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate is not from a trusted authority.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host name.",
}

function networkErrorText(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof AddressRefused) return at.message
    if (at instanceof AggregateError && at.errors.length > 0) return networkErrorText(at.errors[0])
    const { code } = at as NodeJS.ErrnoException
    if (code && knownNetworkErrors[code]) return knownNetworkErrors[code]
  }
  return `No response (${toReadableText((error as Error).message)}).`
}
