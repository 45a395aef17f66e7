import { accessTokenSeconds, type Level } from "@milkwood/domain/users/account-service"
import { errors, jwtVerify, SignJWT } from "jose"
import type { App } from "../../platform/app.ts"
import { algorithm, type signingKey, verifyingKey } from "./signing-keys.ts"

/** The audience of every token. */
export const audience = "authenticated"

/** The issuer: the address of the account service. */
export const issuerOf = (app: App): string => `${app.publicUrl}/auth/v1`

export interface TokenClaims {
  userId: string
  sessionId: string
  email: string
  level: Level
  /** Authentication methods and their times (RFC 8176). */
  methods: { method: string; timestamp: number }[]
}

export type TokenSigner = Awaited<ReturnType<typeof signingKey>>

/** A signed token that identifies the session. Rights are looked up on each request. */
export async function createAccessToken(
  app: App,
  signer: TokenSigner,
  { userId, sessionId, email, level, methods }: TokenClaims,
): Promise<{ token: string; expiresAt: number }> {
  const issuedAt = Math.floor(app.clock.now().epochMilliseconds / 1_000)
  const expiresAt = issuedAt + accessTokenSeconds
  const token = await new SignJWT({
    session_id: sessionId,
    role: audience,
    email,
    aal: level,
    amr: methods,
    is_anonymous: false,
  })
    .setProtectedHeader({ alg: algorithm, kid: signer.id, typ: "JWT" })
    .setIssuer(issuerOf(app))
    .setSubject(userId)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signer.key)
  return { token, expiresAt }
}

/** The session of a valid token of this service; null for any other token. */
export async function sessionOfToken(app: App, token: string): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await verifyingKey(app, kid)
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key
      },
      {
        algorithms: [algorithm],
        issuer: issuerOf(app),
        audience,
        requiredClaims: ["sub", "exp"],
        currentDate: new Date(app.clock.now().epochMilliseconds),
      },
    )
    return typeof payload.session_id === "string" ? payload.session_id : null
  } catch (error) {
    // An invalid token is the caller's fault; other errors, such as a lost database connection, are thrown.
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
