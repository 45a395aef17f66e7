import { createHash } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { commonErrors, type FieldError, type ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { isRefusal, type Refusal } from "@milkwood/domain/kernel/refusal"
import type { LookedAt, ViewedFact } from "@milkwood/domain/platform/look-facts"
import { canServiceKeyUse, hasPermission, type Permission } from "@milkwood/domain/platform/permission"
import type { AnySchema, ContractProcedure, ErrorMap, InferSchemaInput, InferSchemaOutput } from "@orpc/contract"
import { implement, ORPCError, ValidationError } from "@orpc/server"
import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import {
  CallerDisconnected,
  Database,
  isConstraintViolation,
  isDatabaseUnavailable,
  isDiskFull,
  OutcomeUnknown,
  PoolExhausted,
  sqlState,
  type Tx,
  violatedConstraint,
} from "../database/database.ts"
import { findUnstorableValues } from "../database/storable.ts"
import { isStorageUnavailable } from "../files/storage.ts"
import { recordView } from "../trail/looks.ts"
import { type Actor, actorUserId } from "./actor.ts"
import { withStrictInput } from "./strict-input.ts"

export interface RequestContext {
  app: App
  actor: Actor | null
  requestId: string
  headers?: Headers
  sessionKey?: string | null
  responseHeaders?: Headers
  /** Aborted when the caller disconnects; cancels reads. */
  signal?: AbortSignal
}

export interface Cx {
  app: App
  tx: Tx
  actor: Actor
  now: Temporal.Instant
  today: Day
  timezone: string
  currency: Currency
  requestId: string
}

export interface CallCx<Input> extends Cx {
  input: Input
  context: RequestContext
}

/** An expected refusal; the contract defines its status. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message ?? refusal.refused)
    this.refusal = refusal
  }
}

export function refused(code: string, message?: string, data?: unknown): Refused {
  return new Refused({ refused: code, message, data })
}

export function orRefuse<T>(decision: T): Exclude<T, Refusal> {
  if (isRefusal(decision)) throw new Refused(decision)
  return decision as Exclude<T, Refusal>
}

export function invalidInput(fields: FieldError[], message?: string): Refused {
  return refused("INVALID", message, { fields })
}

type Contract<I extends AnySchema, O extends AnySchema, E extends ErrorMap> = ContractProcedure<I, O, E, ProcedureMeta>
type Handler<I extends AnySchema, O extends AnySchema> = (
  cx: CallCx<InferSchemaOutput<I>>,
) => Promise<InferSchemaInput<O>>

export interface CallOptions {
  /** Default: staff for actors who see every employer, scoped for the others. */
  as?: "staff" | "auth"
}

export interface PrepareCx<Input> {
  app: App
  actor: Actor
  input: Input
  read<T>(work: (cx: Cx) => Promise<T>): Promise<T>
}

/**
 * A procedure that writes, in one transaction. The idempotency key is inserted first if the contract has one.
 *
 * The handler receives the result of `prepare` as `prepared`. If it is outdated, the handler refuses with BUSY, and
 * both run again.
 */
export function command<I extends AnySchema, O extends AnySchema, E extends ErrorMap, P = undefined>(
  contract: Contract<I, O, E>,
  handler: (cx: CallCx<InferSchemaOutput<I>> & { prepared: P }) => Promise<InferSchemaInput<O>>,
  options: CallOptions & {
    prepare?: (cx: PrepareCx<InferSchemaOutput<I>>) => Promise<P>
  } = {},
) {
  const { idempotent } = contract["~orpc"].meta
  return serve(contract, async (context, actor, asked, path) => {
    const { app, requestId } = context
    const moment = await app.moment()
    const input = asked as InferSchemaOutput<I>
    const role = options.as ?? Database.roleOf(actor)
    const read = <T>(work: (cx: Cx) => Promise<T>) =>
      app.database.transaction(role, (tx) => work({ app, tx, actor, ...moment, requestId }), actor)
    const change = async () => {
      const prepared = (await options.prepare?.({ app, actor, input, read })) as P
      const work = (tx: Tx) => handler({ app, tx, actor, ...moment, requestId, input, context, prepared })
      return app.database.transaction(
        role,
        (tx) => (idempotent ? runIdempotently(tx, actor, path, input, moment.now, () => work(tx)) : work(tx)),
        actor,
      )
    }
    return options.prepare ? retryBusy(change) : change()
  })
}

/** Retries work that is refused with BUSY, because its preparation was outdated when it got the lock. */
export async function retryBusy<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (tries === 1 || !(error instanceof Refused && error.refusal.refused === "BUSY")) throw error
    return retryBusy(work, tries - 1)
  }
}

/**
 * A read-only procedure on one connection. Its statement is cancelled when the caller disconnects. Actors who see every
 * employer run without a transaction.
 */
export function query<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  handler: Handler<I, O>,
  options: CallOptions & {
    /** Aggregates large parts of the data; few of these run at once. */
    heavy?: boolean
  } = {},
) {
  const { kind, shows } = contract["~orpc"].meta
  const isRead = kind === "read"
  return serve(contract, async (context, actor, asked) => {
    const { app, requestId, signal } = context
    const moment = await app.moment()
    const input = asked as InferSchemaOutput<I>
    const role = options.as ?? Database.roleOf(actor)
    const work = async (tx: Tx) => {
      const cx = { app, tx, actor, ...moment, requestId }
      const answer = await handler({ ...cx, input, context })
      if (shows) await recordView(cx, context.headers, viewFactOf(shows, answer))
      return answer
    }
    if (role === "auth") return isRead ? app.database.read(role, work, signal) : work(app.database.direct(role))
    const { heavyReads, reads } = app.limits
    return (options.heavy ? heavyReads : reads[role]).hold(
      () =>
        role === "scoped" ? app.database.transaction(role, work, actor, signal) : app.database.read(role, work, signal),
      signal,
      { owner: actorUserId(actor) ?? "" },
    )
  })
}

function viewFactOf(kind: LookedAt, answer: unknown): ViewedFact {
  const { id, number, groupId } = answer as { id: string; number?: string; groupId?: string | null }
  return { type: "RecordViewed", record: { kind, id, label: number ?? "" }, groupId: groupId ?? null }
}

/**
 * A procedure that opens several transactions one after the other. Earlier ones persist if the call is refused. It
 * holds no connection between them, so that many callers cannot block each other.
 */
export function multiTransactionProcedure<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  handler: (cx: Omit<CallCx<InferSchemaOutput<I>>, "tx">) => Promise<InferSchemaInput<O>>,
) {
  return serve(contract, async (context, actor, input) => {
    const { app, requestId } = context
    const moment = await app.moment()
    return handler({ app, actor, ...moment, requestId, input: input as InferSchemaOutput<I>, context })
  })
}

export const signInActor: Actor = { kind: "system", name: "Sign-in", onBehalfOf: null }

function serve<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  work: (context: RequestContext, actor: Actor, input: unknown, path: string) => Promise<unknown>,
) {
  const { permission } = contract["~orpc"].meta
  const errors: ErrorMap = contract["~orpc"].errorMap
  return implement(withStrictInput(contract))
    .$context<RequestContext>()
    .$config({ initialInputValidationIndex: 1, initialOutputValidationIndex: 1 })
    .use(async ({ context, next }) => {
      try {
        checkPermission(context.actor, permission)
        return await next()
      } catch (error) {
        // A constraint violation that no rule prevented; the log shows which rule is missing.
        if (isConstraintViolation(error))
          context.app.log.warn({ constraint: violatedConstraint(error) }, "a change violated a database constraint")
        throw toClientError(error, errors)
      }
    })
    .handler(async ({ context, input, path }) => {
      const wrong = findUnstorableValues(input)
      if (wrong.length > 0) throw invalidInput(wrong)
      const answer = await work(context, context.actor ?? signInActor, input, path.join("."))
      return answer as InferSchemaInput<O>
    })
}

export function checkPermission(actor: Actor | null, permission: Permission | undefined): void {
  if (permission === undefined) throw new Error("a route without a declared permission")
  if (permission === "public") return
  if (!actor) throw refused("UNAUTHENTICATED")
  if (permission === "session" || actor.kind === "system") return
  if (!hasPermission(actor.role, permission)) throw refused("FORBIDDEN")
  if (actor.program && !canServiceKeyUse(permission)) throw refused("FORBIDDEN", personOnlyMessage)
}

export const personOnlyMessage = "Only a signed-in user can do this, not a service key."

const statementTimeoutMessage =
  "This took too long and was stopped. Nothing was changed. Please try again with a narrower filter."
const storageUnavailableMessage =
  "The document storage cannot be reached at the moment. Nothing was changed. Please try again in a minute."
const outcomeUnknownMessage =
  "The connection to the database was lost while saving. Check whether your change was saved before you try again."

/** Converts an error to the contract's typed error. Unexpected errors stay as they are and become a 500. */
export function toClientError(error: unknown, errors: ErrorMap = commonErrors): unknown {
  if (error instanceof Refused) return toDeclaredError(errors, error.refusal, error)
  if (error instanceof ORPCError && error.code === "BAD_REQUEST" && error.cause instanceof ValidationError) {
    const fields = error.cause.issues.flatMap((issue) => {
      const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
      const unknown = (issue as { code?: string; keys?: string[] }).keys ?? []
      if (unknown.length === 0) return [{ path: path.join("."), message: issue.message }]
      return unknown
        .slice(0, 20)
        .map((key) => ({ path: [...path, key].join(".").slice(0, 200), message: issue.message }))
    })
    return toDeclaredError(errors, { refused: "INVALID", data: { fields } }, error)
  }
  if (error instanceof OutcomeUnknown)
    return toDeclaredError(errors, { refused: "UNAVAILABLE", message: outcomeUnknownMessage }, error)
  if (error instanceof CallerDisconnected) return new ORPCError("CLIENT_CLOSED_REQUEST", { status: 499 })
  if (error instanceof PoolExhausted) return toDeclaredError(errors, { refused: "OVERLOADED" }, error)
  if (isDiskFull(error)) return toDeclaredError(errors, { refused: "DISK_FULL" }, error)
  if (isDatabaseUnavailable(error)) return toDeclaredError(errors, { refused: "UNAVAILABLE" }, error)
  if (isStorageUnavailable(error))
    return toDeclaredError(errors, { refused: "UNAVAILABLE", message: storageUnavailableMessage }, error)
  const state = sqlState(error)
  if (state === "57014")
    return toDeclaredError(errors, { refused: "OVERLOADED", message: statementTimeoutMessage }, error)
  if (state === "40001" || state === "40P01" || state === "55P03")
    return toDeclaredError(errors, { refused: "BUSY" }, error)
  if (isConstraintViolation(error)) return toDeclaredError(errors, { refused: "CONFLICT" }, error)
  if (state === "22003" || state === "22008") {
    return toDeclaredError(
      errors,
      { refused: "INVALID", message: "A number or a date is too large.", data: { fields: [] } },
      error,
    )
  }
  return error
}

function toDeclaredError(errors: ErrorMap, refusal: Refusal, cause: unknown): unknown {
  const entry = errors[refusal.refused]
  if (!entry) return new Error(`the refusal ${refusal.refused} is not in the contract`, { cause })
  return new ORPCError(refusal.refused, {
    defined: true,
    status: entry.status,
    message: refusal.message ?? entry.message,
    data: refusal.data,
    cause,
  })
}

/**
 * Runs the work once per (actor, procedure, key). The key is inserted first: a second call waits for the first commit
 * and returns the same answer. Refusals roll back their key.
 */
async function runIdempotently(
  tx: Tx,
  actor: Actor,
  procedure: string,
  input: unknown,
  now: Temporal.Instant,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const userId = actorUserId(actor)
  const key = (input as { idempotencyKey?: string }).idempotencyKey
  if (!userId || !key) return work()
  const body = createHash("sha256").update(JSON.stringify(input)).digest("hex")
  const taken = await tx.run(sql`
    insert into idempotency_keys (actor_id, procedure, key, body_hash, created_at)
    values (${userId}, ${procedure}, ${key}, ${body}, ${now}) on conflict do nothing`)
  if (taken === 0) {
    const before = await tx.row<{ bodyHash: string; answer: unknown }>(sql`
      select body_hash as "bodyHash", answer from idempotency_keys
      where actor_id = ${userId} and procedure = ${procedure} and key = ${key}`)
    if (!before) throw refused("BUSY")
    if (before.bodyHash !== body) throw refused("KEY_REUSED")
    return before.answer
  }
  const answer = await work()
  await tx.run(sql`
    update idempotency_keys set answer = ${JSON.stringify(answer ?? null)}::jsonb
    where actor_id = ${userId} and procedure = ${procedure} and key = ${key}`)
  return answer
}
