import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { linksHeld } from "./account-link.ts"
import { email, password } from "./user-shape.ts"

const tags = ["Users"]
const emptyAnswer = z.object({})
/** Six digits of an authenticator app, or a recovery code, as typed. */
const code = z.string().trim().min(1, "Enter the code").max(40, "Use at most 40 characters for the code")

export const wrongPassword = {
  WRONG_PASSWORD: { status: 422, message: "The current password is incorrect." },
} as const
const wrongCode = {
  WRONG_CODE: {
    status: 422,
    message: "This code is incorrect or already used. Enter the code that your app shows now.",
  },
} as const
const noSecondFactor = { NO_SECOND_FACTOR: { status: 409, message: "You have no second factor." } } as const

export const secondFactorState = z.object({
  /** Null without a second factor. */
  since: instant.nullable(),
  recoveryCodesLeft: z.int(),
  /** Whether the settings require one for this account. */
  isRequired: z.boolean(),
})

/** Shown once; each code works once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const secondFactorContract = {
  /** The caller's second factor: since when, recovery codes left, whether it is required. */
  state: readProcedure("session")
    .route({ method: "GET", path: "/users/me/second-factor", summary: "Read my second factor", tags })
    .output(secondFactorState),

  /**
   * Second step of sign-in: an app or recovery code after the password. Sets the session cookie. UNAUTHENTICATED
   * without a password in the last ten minutes, WRONG_CODE, TOO_MANY as for passwords.
   */
  verify: writeProcedure("public")
    .route({ method: "POST", path: "/users/token/second-factor", summary: "Sign in with a code", tags })
    .input(z.object({ code }))
    .output(emptyAnswer)
    .errors(wrongCode),

  /**
   * Starts the set-up: returns the secret and the address for the QR code. The factor is inactive until `confirm`. Also
   * open to users who must set one up before they are signed in.
   */
  begin: writeProcedure("public")
    .route({ method: "POST", path: "/users/me/second-factor", summary: "Set up a second factor", tags })
    .output(z.object({ secret: z.string(), address: z.string() }))
    .errors({
      ...proofRequired,
      HAS_SECOND_FACTOR: { status: 409, message: "You already have a second factor. Remove it first." },
    }),

  /**
   * Completes the set-up with an app code and returns the recovery codes. Signs in a user who had to set up a factor
   * first.
   */
  confirm: writeProcedure("public")
    .route({ method: "POST", path: "/users/me/second-factor/confirmation", summary: "Confirm a second factor", tags })
    .input(z.object({ code }))
    .output(recoveryCodes)
    .errors({ ...wrongCode, ...noSecondFactor }),

  /** Replaces the recovery codes with ten new ones. Requires an app code. */
  renewCodes: writeProcedure("session")
    .route({
      method: "POST",
      path: "/users/me/second-factor/recovery-codes",
      summary: "Create new recovery codes",
      tags,
    })
    .input(z.object({ code }))
    .output(recoveryCodes)
    .errors({ ...wrongCode, ...noSecondFactor }),

  /** Removes the caller's second factor. Requires the password and a code. */
  remove: writeProcedure("session")
    .route({ method: "POST", path: "/users/me/second-factor/removal", summary: "Remove my second factor", tags })
    .input(z.object({ password, code }))
    .output(emptyAnswer)
    .errors({ ...wrongCode, ...wrongPassword, ...noSecondFactor }),
}

export const sessionRow = z.object({
  id: z.uuid(),
  /** "Chrome on Windows" */
  device: z.string(),
  /** Null when unknown. */
  address: z.string().nullable(),
  startedAt: instant,
  lastActiveAt: instant,
  isThis: z.boolean(),
})
export type SessionRow = z.infer<typeof sessionRow>

export const sessionsContract = {
  /** The caller's active sessions: the current one first, then by last use. */
  list: readProcedure("session")
    .route({ method: "GET", path: "/users/me/sessions", summary: "List my sessions", tags })
    .output(z.array(sessionRow)),

  /** Ends one of the caller's sessions. NOT_FOUND for an ended session and for another user's. */
  end: writeProcedure("session")
    .route({ method: "POST", path: "/users/me/sessions/{id}/end", summary: "End a session", tags })
    .input(z.object({ id: z.uuid() }))
    .output(z.array(sessionRow)),

  /** Ends all of the caller's sessions except the current one. */
  endOthers: writeProcedure("session")
    .route({ method: "POST", path: "/users/me/sessions/end-others", summary: "End all other sessions", tags })
    .output(z.array(sessionRow)),
}

/** Confirms the caller's identity for ten minutes: by a second-factor code if they have one, otherwise by password. */
export const proveContract = writeProcedure("session")
  .route({ method: "POST", path: "/users/me/proof", summary: "Confirm my identity", tags })
  .input(z.object({ password: password.optional(), code: code.optional() }))
  .output(emptyAnswer)
  .errors({ ...wrongPassword, ...wrongCode })

/** Requests another e-mail address. The address changes when the link sent to it is opened. */
export const changeEmailContract = writeProcedure("session")
  .route({ method: "PUT", path: "/users/me/email", summary: "Change my e-mail address", tags })
  .input(z.object({ email }))
  .output(z.object({ mail: z.enum(["queued", "kept"]) }))
  .errors({
    ...proofRequired,
    ...linksHeld,
    USER_ALREADY_REGISTERED: { status: 409, message: "Another account has this address." },
  })
