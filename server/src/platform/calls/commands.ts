import { createHash } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { commonErrors, type FieldError, type ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { isRefusal, type Refusal } from "@milkwood/domain/kernel/refusal"
import type { LookedAt, LookFact } from "@milkwood/domain/platform/look-facts"
import { may, type Permission, programMay } from "@milkwood/domain/platform/permission"
import type { AnySchema, ContractProcedure, ErrorMap, InferSchemaInput, InferSchemaOutput } from "@orpc/contract"
import { implement, ORPCError, ValidationError } from "@orpc/server"
import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import {
  CallerGone,
  Database,
  isAway,
  isClash,
  isDiskFull,
  OutcomeUnknown,
  PoolExhausted,
  sqlState,
  type Tx,
  violatedConstraint,
} from "../database/database.ts"
import { unstorable } from "../database/storable.ts"
import { isStorageAway } from "../files/storage.ts"
import { recordLook } from "../trail/looks.ts"
import { type Actor, actorUserId } from "./actor.ts"
import { withStrictInput } from "./strict-input.ts"

/** What comes with a call: who asks, and through what. */
export interface RequestContext {
  app: App
  actor: Actor | null
  requestId: string
  /** The request's headers, for sign-in; absent when a test or the demo calls in process. */
  headers?: Headers
  /** What the session is found by, of whoever is signed in or half signed in. */
  sessionKey?: string | null
  /** Headers of the answer, where a sign-in sets its cookie. */
  answerHeaders?: Headers
  /** Set when the caller has gone: what only reads for them is cancelled. */
  signal?: AbortSignal
}

/** What a command or query works with. */
export interface Cx {
  app: App
  tx: Tx
  actor: Actor
  now: Temporal.Instant
  /** The business day in the timezone setting. */
  today: Day
  timezone: string
  /** That of all money here. */
  currency: Currency
  requestId: string
}

export interface CallCx<Input> extends Cx {
  input: Input
  context: RequestContext
}

/** An expected "no" on its way to the client; the contract holds its status. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message ?? refusal.refused)
    this.refusal = refusal
  }
}

/** A refusal to throw: `throw refused("NOT_FOUND")`. */
export function refused(code: string, message?: string, data?: unknown): Refused {
  return new Refused({ refused: code, message, data })
}

/** The value of a rule's decision, or its refusal thrown to the client. */
export function orRefuse<T>(decision: T): Exclude<T, Refusal> {
  if (isRefusal(decision)) throw new Refused(decision)
  return decision as Exclude<T, Refusal>
}

/** Refuses with INVALID and the fields that are wrong. */
export function invalid(fields: FieldError[], message?: string): Refused {
  return refused("INVALID", message, { fields })
}

type Contract<I extends AnySchema, O extends AnySchema, E extends ErrorMap> = ContractProcedure<I, O, E, ProcedureMeta>
type Handler<I extends AnySchema, O extends AnySchema> = (
  cx: CallCx<InferSchemaOutput<I>>,
) => Promise<InferSchemaInput<O>>

export interface CallOptions {
  /** The database role of the work. Without it: staff for those who see every group, scoped for the others. */
  as?: "staff" | "auth"
}

/** What a command may do before its transaction begins: work that takes longer than a connection should wait. */
export interface PrepareCx<Input> {
  app: App
  actor: Actor
  input: Input
  read<T>(work: (cx: Cx) => Promise<T>): Promise<T>
}

/**
 * A procedure that changes something: one transaction, its idempotency key taken first where the contract says so.
 * What `prepare` makes before it is handed to it as `prepared`; a handler that finds it outdated refuses with BUSY, and
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
        (tx) => (idempotent ? once(tx, actor, path, input, moment.now, () => work(tx)) : work(tx)),
        actor,
      )
    }
    return options.prepare ? retryBusy(change) : change()
  })
}

/** Runs work again, at most three times, while it is refused with BUSY: what it prepared before its lock was outdated. */
export async function retryBusy<T>(work: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (tries === 1 || !(error instanceof Refused && error.refusal.refused === "BUSY")) throw error
    return retryBusy(work, tries - 1)
  }
}

/**
 * A procedure that only reads, on one connection; its statement is cancelled when the caller goes away. Those who see
 * every group need no transaction around it. A write that asks for none either (sign-in) makes its own.
 */
export function query<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  handler: Handler<I, O>,
  options: CallOptions & {
    /** It adds up much of the book: few of its kind run at once. */
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
      if (shows) await recordLook(cx, context.headers, lookAt(shows, answer))
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

/** That a record was shown, from what was answered of it. */
function lookAt(kind: LookedAt, answer: unknown): LookFact {
  const { id, number, groupId } = answer as { id: string; number?: string; groupId?: string | null }
  return { type: "RecordViewed", record: { kind, id, label: number ?? "" }, groupId: groupId ?? null }
}

/**
 * A procedure that opens its transactions itself, one after the other: what the first one writes stays when the call is
 * refused. It holds no connection meanwhile, or a crowd of callers would wait for each other's.
 */
export function callOfItsOwn<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  handler: (cx: Omit<CallCx<InferSchemaOutput<I>>, "tx">) => Promise<InferSchemaInput<O>>,
) {
  return serve(contract, async (context, actor, input) => {
    const { app, requestId } = context
    const moment = await app.moment()
    return handler({ app, actor, ...moment, requestId, input: input as InferSchemaOutput<I>, context })
  })
}

/** Who calls without a session: sign-in itself. */
export const nobody: Actor = { kind: "system", name: "Sign-in", onBehalfOf: null }

function serve<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: Contract<I, O, E>,
  work: (context: RequestContext, actor: Actor, input: unknown, path: string) => Promise<unknown>,
) {
  const { permission } = contract["~orpc"].meta
  const errors: ErrorMap = contract["~orpc"].errorMap
  return (
    implement(withStrictInput(contract))
      .$context<RequestContext>()
      // The permission is checked before the input is looked at.
      .$config({ initialInputValidationIndex: 1, initialOutputValidationIndex: 1 })
      .use(async ({ context, next }) => {
        try {
          checkPermission(context.actor, permission)
          return await next()
        } catch (error) {
          // No rule foresaw it: the constraint says where one is missing.
          if (isClash(error)) context.app.log.warn({ constraint: violatedConstraint(error) }, "a change clashed")
          throw answerable(error, errors)
        }
      })
      .handler(async ({ context, input, path }) => {
        const wrong = unstorable(input)
        if (wrong.length > 0) throw invalid(wrong)
        const answer = await work(context, context.actor ?? nobody, input, path.join("."))
        return answer as InferSchemaInput<O>
      })
  )
}

/** Throws unless the actor may call what asks for this permission. */
export function checkPermission(actor: Actor | null, permission: Permission | undefined): void {
  if (permission === undefined) throw new Error("a route without a declared permission")
  if (permission === "public") return
  if (!actor) throw refused("UNAUTHENTICATED")
  if (permission === "session" || actor.kind === "system") return
  if (!may(actor.role, permission)) throw refused("FORBIDDEN")
  if (actor.program && !programMay(permission)) throw refused("FORBIDDEN", forPeople)
}

/** What a program hears of what only people do. */
export const forPeople = "Only a person can do this. A service key stands for a program."

const tookTooLong =
  "This took longer than the server allows and was stopped. Nothing was changed. Please try again with a narrower filter."
const storageAway =
  "The storage of documents cannot be reached at the moment. Nothing was changed. Please try again in a minute."
const outcomeUnknown =
  "The database went away while this was being saved. Look whether it was kept before you do it again."

/** Turns what was thrown into the contract's typed error; what nobody expected stays as it is and becomes a 500. */
export function answerable(error: unknown, errors: ErrorMap = commonErrors): unknown {
  if (error instanceof Refused) return declared(errors, error.refusal, error)
  if (error instanceof ORPCError && error.code === "BAD_REQUEST" && error.cause instanceof ValidationError) {
    const fields = error.cause.issues.flatMap((issue) => {
      const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
      // An unknown field is named by its own path.
      const unknown = (issue as { code?: string; keys?: string[] }).keys ?? []
      if (unknown.length === 0) return [{ path: path.join("."), message: issue.message }]
      return unknown
        .slice(0, 20)
        .map((key) => ({ path: [...path, key].join(".").slice(0, 200), message: issue.message }))
    })
    return declared(errors, { refused: "INVALID", data: { fields } }, error)
  }
  if (error instanceof OutcomeUnknown)
    return declared(errors, { refused: "UNAVAILABLE", message: outcomeUnknown }, error)
  if (error instanceof CallerGone) return new ORPCError("CLIENT_CLOSED_REQUEST", { status: 499 })
  if (error instanceof PoolExhausted) return declared(errors, { refused: "OVERLOADED" }, error)
  if (isDiskFull(error)) return declared(errors, { refused: "DISK_FULL" }, error)
  if (isAway(error)) return declared(errors, { refused: "UNAVAILABLE" }, error)
  if (isStorageAway(error)) return declared(errors, { refused: "UNAVAILABLE", message: storageAway }, error)
  const state = sqlState(error)
  if (state === "57014") return declared(errors, { refused: "OVERLOADED", message: tookTooLong }, error)
  if (state === "40001" || state === "40P01" || state === "55P03") return declared(errors, { refused: "BUSY" }, error)
  if (isClash(error)) return declared(errors, { refused: "CONFLICT" }, error)
  if (state === "22003" || state === "22008") {
    return declared(
      errors,
      { refused: "INVALID", message: "A number or a date is too large.", data: { fields: [] } },
      error,
    )
  }
  return error
}

function declared(errors: ErrorMap, refusal: Refusal, cause: unknown): unknown {
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
 * Runs the work once per (actor, procedure, key): the key is inserted first, so a second call with it waits for the
 * first to commit and then answers what that answered. Refusals are rolled back with their key.
 */
async function once(
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
