import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
import type { App } from "./app.ts"

/**
 * Encrypts a secret with the key of the data folder (AES-256-GCM), so that the database alone does not reveal it.
 * `about` names the purpose and the record; the secret opens only with the same `about`.
 */
export function sealSecret(app: App, about: string, secret: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", deriveKey(app, "seal"), nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()])
  return ["v1", nonce, cipher.getAuthTag(), sealed].map((part) => part.toString("base64")).join(":")
}

/** Throws if the text was changed, or sealed with another key or `about`. */
export function openSecret(app: App, about: string, kept: string): string {
  const [, nonce, tag, sealed] = kept.split(":").map((part) => Buffer.from(part, "base64"))
  if (!nonce || !tag || !sealed) throw new Error("a sealed secret does not have the format of this application")
  const opening = createDecipheriv("aes-256-gcm", deriveKey(app, "seal"), nonce, { authTagLength: 16 })
  opening.setAAD(Buffer.from(about)).setAuthTag(tag)
  return Buffer.concat([opening.update(sealed), opening.final()]).toString("utf8")
}

/** A hash of the text that nobody can compute without the key. */
export const keyedHash = (app: App, about: string, text: string): string =>
  createHmac("sha256", deriveKey(app, "hash")).update(`${about} ${text}`).digest("hex")

function deriveKey({ secretKey }: App, use: "seal" | "hash"): Buffer {
  if (!secretKey) throw new Error("this process has no key to decrypt secrets")
  return Buffer.from(hkdfSync("sha256", secretKey, "", `milkwood ${use}`, 32))
}
