import type { FieldError } from "@milkwood/domain/kernel/procedure"
import type { ProofWay } from "@milkwood/domain/platform/proof"
import { ORPCError } from "@orpc/client"

export function refusalCodeOf(error: unknown): string | undefined {
  return error instanceof ORPCError ? error.code : undefined
}

export function refusalOf(status: number, answer: unknown): Error {
  const { code, message, data } = (answer ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  return new ORPCError(typeof code === "string" ? code : "INTERNAL_SERVER_ERROR", {
    status,
    message: typeof message === "string" ? message : undefined,
    data,
    defined: true,
  })
}

export const requiredProofOf = (error: unknown): ProofWay | undefined =>
  error instanceof ORPCError && error.code === "PROOF_REQUIRED" ? (error.data as { by: ProofWay }).by : undefined

export const isOverloaded = (error: unknown): boolean => refusalCodeOf(error) === "OVERLOADED"

/** Whether no answer arrived: the server or the network is down. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ORPCError) return [502, 503, 504].includes(error.status)
  return error instanceof TypeError
}

/** A message for users, never an internal error: those are only in the server's log. */
export function errorTextOf(error: unknown): string {
  if (error instanceof ORPCError) {
    const fields = invalidFieldsOf(error)
    if (fields.length === 1) return fields[0]!.message
    if (error.code !== "INTERNAL_SERVER_ERROR" && error.message) return error.message
    if (error.status === 413) return "The file is too large."
    return "Something went wrong on the server. Nothing was changed. Please try again."
  }
  if (error instanceof TypeError) {
    return "Milkwood cannot be reached at the moment. Your changes are still here. Please try again."
  }
  return "Something went wrong. Please try again."
}

export function invalidFieldsOf(error: unknown): FieldError[] {
  if (!(error instanceof ORPCError) || error.code !== "INVALID") return []
  const data: unknown = error.data
  if (typeof data !== "object" || data === null || !("fields" in data) || !Array.isArray(data.fields)) return []
  return data.fields.filter(
    (field): field is FieldError => typeof field?.path === "string" && typeof field?.message === "string",
  )
}

export async function readIfStale<Record>(error: unknown, read: () => Promise<Record>): Promise<Record | undefined> {
  return refusalCodeOf(error) === "STALE" ? read().catch(() => undefined) : undefined
}

const shownErrors = new WeakSet<object>()

/** Marks a refusal as shown at its fields, so that no toast repeats it. */
export const markErrorShown = (error: unknown) => void shownErrors.add(error as object)
export const isErrorShown = (error: unknown): boolean => shownErrors.has(error as object)
