import { accessTokenSeconds, type Level } from "@milkwood/domain/users/account-service"
import { errors, jwtVerify, SignJWT } from "jose"
import type { App } from "../../platform/app.ts"
import { algorithm, type signingKey, verifyingKey } from "./signing-keys.ts"

/** Whom every token is for: somebody with an account. */
export const audience = "authenticated"

/** Where the account service stands, as its tokens name it. */
export const issuerOf = (app: App): string => `${app.publicUrl}/auth/v1`

export interface Claims {
  userId: string
  sessionId: string
  email: string
  level: Level
  /** How they proved who they are, and when (RFC 8176). */
  methods: { method: string; timestamp: number }[]
}

export type Signer = Awaited<ReturnType<typeof signingKey>>

/** A signed token for a session. It says who asks; what they may do is looked up with each request. */
export async function accessToken(
  app: App,
  signer: Signer,
  { userId, sessionId, email, level, methods }: Claims,
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

/** The session that a token names; null unless we signed it, for this service, and it has not expired. */
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
    // What is wrong with a token is its bearer's affair; that the database is away is not.
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
