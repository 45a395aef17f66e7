import type { FieldError } from "@milkwood/domain/kernel/procedure"
import type { ProofWay } from "@milkwood/domain/platform/proof"
import { ORPCError } from "@orpc/client"

/** The refusal's name in the contract ("STALE", "NO_PENDING_STEP"), or undefined for what is not a refusal. */
export function refusalCode(error: unknown): string | undefined {
  return error instanceof ORPCError ? error.code : undefined
}

/** The refusal that an answer holds, as whoever asked rejects with it. */
export function refusalOf(status: number, answer: unknown): Error {
  const { code, message, data } = (answer ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  return new ORPCError(typeof code === "string" ? code : "INTERNAL_SERVER_ERROR", {
    status,
    message: typeof message === "string" ? message : undefined,
    data,
    defined: true,
  })
}

/** What somebody is asked for who has to prove once more who they are; undefined after any other refusal. */
export const proofAskedFor = (error: unknown): ProofWay | undefined =>
  error instanceof ORPCError && error.code === "PROOF_REQUIRED" ? (error.data as { by: ProofWay }).by : undefined

/** The server is there, and has too much to do at the moment. */
export const isOverloaded = (error: unknown): boolean => refusalCode(error) === "OVERLOADED"

/** Whether no answer came at all: the server is away, or the network is. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ORPCError) return [502, 503, 504].includes(error.status)
  return error instanceof TypeError
}

/** What went wrong, as a sentence for people. Never an internal message: those stay in the server's log. */
export function errorText(error: unknown): string {
  if (error instanceof ORPCError) {
    const fields = invalidFields(error)
    if (fields.length === 1) return fields[0]!.message
    if (error.code !== "INTERNAL_SERVER_ERROR" && error.message) return error.message
    if (error.status === 413) return "The file is too large."
    return "Something went wrong on the server. Nothing was changed. Please try again."
  }
  if (error instanceof TypeError) {
    return "Milkwood cannot be reached at the moment. What you typed is kept. Please try again."
  }
  return "Something went wrong. Please try again."
}

/** The fields that an INVALID refusal names; empty for every other error. */
export function invalidFields(error: unknown): FieldError[] {
  if (!(error instanceof ORPCError) || error.code !== "INVALID") return []
  const data: unknown = error.data
  if (typeof data !== "object" || data === null || !("fields" in data) || !Array.isArray(data.fields)) return []
  return data.fields.filter(
    (field): field is FieldError => typeof field?.path === "string" && typeof field?.message === "string",
  )
}

/** The record as it stands now, read anew after a STALE refusal; undefined after any other, and where it is not to be had. */
export async function staleRecord<Record>(error: unknown, read: () => Promise<Record>): Promise<Record | undefined> {
  return refusalCode(error) === "STALE" ? read().catch(() => undefined) : undefined
}

const said = new WeakSet<object>()

/** A refusal that stands at its fields is not said again by a toast. */
export const sayNoMore = (error: unknown) => void said.add(error as object)
export const isSaid = (error: unknown): boolean => said.has(error as object)
