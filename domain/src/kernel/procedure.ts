import { oc } from "@orpc/contract"
import { z } from "zod"
import type { LookedAt } from "../platform/look-facts.ts"
import type { Permission } from "../platform/permission.ts"
import { proofMethods } from "../platform/proof.ts"
import "./plain-words.ts"

export interface ProcedureMeta {
  /** Required: the server refuses to start when a procedure has none. */
  permission: Permission | undefined
  kind: "read" | "write"
  /** The input has `idempotencyKey`; a repeated call gets the first call's answer. */
  idempotent: boolean
  /** Each view of the shown record is audited. */
  shows?: LookedAt
}

/** `path` in the input: `lines.0.unitCents`. */
export const fieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldError>

export const commonErrors = {
  UNAUTHENTICATED: { status: 401, message: "Please sign in." },
  FORBIDDEN: { status: 403, message: "You do not have access to this." },
  NOT_FOUND: { status: 404, message: "This record does not exist." },
  INVALID: {
    status: 422,
    message: "Some fields are missing or invalid.",
    data: z.object({ fields: z.array(fieldError) }),
  },
  STALE: {
    status: 409,
    message: "Someone else saved this in the meantime.",
    /** The current version; the caller reloads the record. */
    data: z.object({ version: z.int() }),
  },
  KEY_REUSED: { status: 409, message: "This request key was already used for a different request." },
  BUSY: { status: 409, message: "Someone else is changing this at the moment. Please try again." },
  CONFLICT: {
    status: 409,
    message: "This conflicts with a change that someone else saved. Nothing was changed. Reload the page.",
  },
  TOO_MANY: { status: 429, message: "Too many attempts. Please wait a moment and try again." },
  OVERLOADED: {
    status: 429,
    message: "The server is too busy at the moment. Nothing was changed. Please try again in a minute.",
  },
  DISK_FULL: {
    status: 507,
    message: "The server's disk is full. Nothing was changed. Please notify your administrator.",
  },
  UNAVAILABLE: { status: 503, message: "The database cannot be reached at the moment. Nothing was changed." },
} as const

/**
 * The actor's last proof of identity is too old for changes of money or access rights. `by` is what the screen asks
 * for.
 */
export const proofRequired = {
  PROOF_REQUIRED: {
    status: 403,
    message: "Confirm your identity and try again. Nothing was changed.",
    data: z.object({ by: z.enum(proofMethods) }),
  },
} as const

/** For changes of access rights: the actor has no second factor. */
export const secondFactorRequired = {
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: "This needs a second factor. Set one up under Profile, Sign-in, and try again. Nothing was changed.",
  },
} as const

const procedure = oc
  .$meta<ProcedureMeta>({ permission: undefined, kind: "read", idempotent: false })
  .errors(commonErrors)

export const readProcedure = (permission: Permission, options: Pick<ProcedureMeta, "shows"> = {}) =>
  procedure.meta({ permission, kind: "read", idempotent: false, ...options })

/** An `idempotent` command has `idempotencyKey: z.uuid()` in its input. */
export const writeProcedure = (permission: Permission, options: { idempotent?: boolean } = {}) =>
  procedure.meta({ permission, kind: "write", idempotent: options.idempotent ?? false })
