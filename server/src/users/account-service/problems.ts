import { commonErrors, proofRequired } from "@milkwood/domain/kernel/procedure"
import { usersContract } from "@milkwood/domain/users/users.contract"
import type { ErrorMap } from "@orpc/contract"
import { ORPCError } from "@orpc/server"
import { toClientError } from "../../platform/calls/commands.ts"

/** A refusal in the format of the protocol. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly more: Record<string, unknown>

  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }

  body(): Record<string, unknown> {
    return { code: this.status, error_code: this.code, msg: this.message, ...this.more }
  }
}

export const sessionMissingProblem = () => new Problem(400, "session_not_found", "Auth session missing!")
export const userMissingProblem = () => new Problem(500, "unexpected_failure", "Auth session or user missing")
export const invalidTokenProblem = () =>
  new Problem(401, "invalid_jwt", "invalid JWT: it has expired, or this service did not sign it")

/** Protocol codes of the product's refusals. */
const names: Record<string, [status: number, code: string]> = {
  UNAUTHENTICATED: [400, "session_not_found"],
  INVALID_CREDENTIALS: [400, "invalid_credentials"],
  WRONG_PASSWORD: [400, "invalid_credentials"],
  EMAIL_NOT_CONFIRMED: [400, "email_not_confirmed"],
  ACCOUNT_DISABLED: [400, "user_banned"],
  ADDRESS_NOT_ALLOWED: [403, "address_not_allowed"],
  REGISTRATION_CLOSED: [422, "signup_disabled"],
  USER_ALREADY_REGISTERED: [422, "user_already_exists"],
  WEAK_PASSWORD: [422, "weak_password"],
  LINK_INVALID: [403, "otp_expired"],
  WRONG_CODE: [422, "mfa_verification_failed"],
  HAS_SECOND_FACTOR: [422, "too_many_enrolled_mfa_factors"],
  PROOF_REQUIRED: [401, "reauthentication_needed"],
  TOO_MANY: [429, "over_request_rate_limit"],
  OVERLOADED: [429, "over_request_rate_limit"],
  INVALID: [400, "validation_failed"],
  BUSY: [409, "conflict"],
  LINKS_HELD: [409, "conflict"],
  CONFLICT: [409, "conflict"],
  STALE: [409, "conflict"],
}

const messagesByCode: ErrorMap = {
  ...commonErrors,
  ...proofRequired,
  ...usersContract.signIn["~orpc"].errorMap,
  ...usersContract.signUp["~orpc"].errorMap,
  ...usersContract.confirmEmail["~orpc"].errorMap,
  ...usersContract.changePassword["~orpc"].errorMap,
  ...usersContract.secondFactor.verify["~orpc"].errorMap,
  ...usersContract.secondFactor.begin["~orpc"].errorMap,
}

/** An error as a protocol error; undefined for unexpected errors. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const refusal = error instanceof ORPCError ? error : toClientError(error, messagesByCode)
  if (refusal instanceof ORPCError) {
    if (refusal.code === "UNAUTHENTICATED") return sessionMissingProblem()
    const [status, code] = names[refusal.code] ?? [refusal.status, "unexpected_failure"]
    if (code === "weak_password") {
      const { reasons } = refusal.data as { reasons: string[] }
      const message = [refusal.message, ...reasons.map((reason) => `${reason}.`)].join(" ")
      return new Problem(status, code, message, { weak_password: { reasons, message } })
    }
    const [field] = (refusal.data as { fields?: { message: string }[] } | undefined)?.fields ?? []
    return new Problem(status, code, field?.message ?? refusal.message)
  }
  // Fastify's own: rate limit, invalid JSON, body too large.
  const status = (error as { statusCode?: number }).statusCode
  if (status === 429)
    return new Problem(429, "over_request_rate_limit", "Too many requests. Wait a minute and try again.")
  if (status !== undefined && status < 500) return new Problem(status, "bad_json", (error as Error).message)
  return undefined
}
