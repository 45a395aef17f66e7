import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { linksHeld } from "./account-link.ts"
import { email, password } from "./user-shape.ts"

const tags = ["Users"]
const done = z.object({})
/** Six digits of an authenticator app, or a recovery code, as typed. */
const code = z.string().trim().min(1, "Enter the code").max(40, "A code is shorter")

export const wrongPassword = {
  WRONG_PASSWORD: { status: 422, message: "The current password is not right." },
} as const
const wrongCode = {
  WRONG_CODE: { status: 422, message: "This code is not right, or was used before. Try the one that is shown now." },
} as const
const noFactor = { NO_SECOND_FACTOR: { status: 409, message: "You have no second factor." } } as const

/** What somebody's own second factor is like. */
export const secondFactorState = z.object({
  /** Null where there is none. */
  since: instant.nullable(),
  recoveryCodesLeft: z.int(),
  /** Whether the settings ask this account for one. */
  isRequired: z.boolean(),
})
export type SecondFactorState = z.infer<typeof secondFactorState>

/** Each is shown this once, and works once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const secondFactorContract = {
  /** The own second factor: since when, how many recovery codes are left, whether it is required. */
  state: read("session")
    .route({ method: "GET", path: "/users/me/second-factor", summary: "My second factor", tags })
    .output(secondFactorState),

  /**
   * The second half of a sign-in: a code of the app, or a recovery code, after the password. Sets the session cookie.
   * UNAUTHENTICATED where no password was given within ten minutes, WRONG_CODE, TOO_MANY as for passwords.
   */
  verify: write("public")
    .route({ method: "POST", path: "/users/token/second-factor", summary: "Sign in: give the code", tags })
    .input(z.object({ code }))
    .output(done)
    .errors(wrongCode),

  /**
   * Begins the set-up of a second factor: its secret, and the address that an authenticator app reads from the QR code.
   * It is none before `confirm`. By whoever is signed in, and by whoever must have one before they are.
   */
  begin: write("public")
    .route({ method: "POST", path: "/users/me/second-factor", summary: "Set up a second factor", tags })
    .output(z.object({ secret: z.string(), address: z.string() }))
    .errors({
      ...proofRequired,
      HAS_SECOND_FACTOR: { status: 409, message: "You have a second factor already. Remove it first." },
    }),

  /** Ends the set-up by a code of the app, answers the recovery codes, and signs in whoever had to set it up first. */
  confirm: write("public")
    .route({ method: "POST", path: "/users/me/second-factor/confirmation", summary: "Confirm a second factor", tags })
    .input(z.object({ code }))
    .output(recoveryCodes)
    .errors({ ...wrongCode, ...noFactor }),

  /** Ten new recovery codes in place of the old ones, by a code of the app. */
  renewCodes: write("session")
    .route({ method: "POST", path: "/users/me/second-factor/recovery-codes", summary: "New recovery codes", tags })
    .input(z.object({ code }))
    .output(recoveryCodes)
    .errors({ ...wrongCode, ...noFactor }),

  /** Removes the own second factor, by the password and a code. */
  remove: write("session")
    .route({ method: "POST", path: "/users/me/second-factor/removal", summary: "Remove my second factor", tags })
    .input(z.object({ password, code }))
    .output(done)
    .errors({ ...wrongCode, ...wrongPassword, ...noFactor }),
}

/** A session as its owner sees it. */
export const sessionRow = z.object({
  id: z.uuid(),
  /** "Chrome on Windows" */
  device: z.string(),
  /** Null where it is not known any more. */
  address: z.string().nullable(),
  startedAt: instant,
  lastActiveAt: instant,
  isThis: z.boolean(),
})
export type SessionRow = z.infer<typeof sessionRow>

export const sessionsContract = {
  /** The own sessions that hold, this one first, then by when they were last used. */
  list: read("session")
    .route({ method: "GET", path: "/users/me/sessions", summary: "My sessions", tags })
    .output(z.array(sessionRow)),

  /** Ends one of the own sessions at once. NOT_FOUND for one that ended, or is another's. */
  end: write("session")
    .route({ method: "POST", path: "/users/me/sessions/{id}/end", summary: "End a session", tags })
    .input(z.object({ id: z.uuid() }))
    .output(z.array(sessionRow)),

  /** Ends all the own sessions but this one. */
  endOthers: write("session")
    .route({ method: "POST", path: "/users/me/sessions/end-others", summary: "End all other sessions", tags })
    .output(z.array(sessionRow)),
}

/** Proves anew who is signed in: by a code where there is a second factor, else by the password. Holds ten minutes. */
export const proveContract = write("session")
  .route({ method: "POST", path: "/users/me/proof", summary: "Prove who I am", tags })
  .input(z.object({ password: password.optional(), code: code.optional() }))
  .output(done)
  .errors({ ...wrongPassword, ...wrongCode })

/** Asks for another e-mail address: a link goes to the new one, and the address changes when it is followed. */
export const changeEmailContract = write("session")
  .route({ method: "PUT", path: "/users/me/email", summary: "Change my e-mail address", tags })
  .input(z.object({ email }))
  .output(z.object({ mail: z.enum(["queued", "kept"]) }))
  .errors({
    ...proofRequired,
    ...linksHeld,
    USER_ALREADY_REGISTERED: { status: 409, message: "Another account has this address." },
  })
