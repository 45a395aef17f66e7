import type { Day } from "@milkwood/domain/kernel/calendar"
import type { SQL } from "drizzle-orm"
import type { BillingApp } from "../../billing/billing-scene.samples.ts"
import type { ClaimActors } from "../../claims/claims.samples.ts"
import type { UserActor } from "../../platform/calls/actor.ts"
import type { Client } from "../app.ts"
import type { Bank } from "./bank.ts"

/** A seeded uniform generator (mulberry32). */
export type RandomSource = ReturnType<typeof createRandomSource>
export function createRandomSource(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, of: <T>(all: readonly T[]): T => all[below(all.length)]! }
}

export interface Insured {
  policyId: string
  number: string
  benefitId: string
  cast: ClaimActors
}

export interface MoneyTestApp {
  app: BillingApp
  bank: Bank
  insured: Insured[]
}

export interface SimulationContext extends MoneyTestApp {
  draw: RandomSource
  maker: Client
  makerActor: UserActor
  second: Client
  admin: Client
  policy: Insured
}

/** `weight`: relative frequency. Returns false if no suitable record exists. */
export interface SimulatedAction {
  weight: number
  act: (hand: SimulationContext) => Promise<unknown>
}
export type SimulatedActions = Record<string, SimulatedAction>

/** A random row or false; the query must order its rows. */
export async function pickRow<Row>(
  { app, draw }: Pick<SimulationContext, "app" | "draw">,
  query: SQL,
): Promise<Row | false> {
  const rows = await app.sql.rows<Row>(query)
  return rows.length > 0 && draw.of(rows)
}

export const isOnceIn = ({ draw }: Pick<SimulationContext, "draw">, times: number): boolean => draw.below(times) === 0

export const randomDay = ({ draw }: Pick<SimulationContext, "draw">): Day =>
  `2026-${String(1 + draw.below(10)).padStart(2, "0")}-${String(1 + draw.below(28)).padStart(2, "0")}`
export const randomMonth = (hand: Pick<SimulationContext, "draw">): Day => `${randomDay(hand).slice(0, 8)}01`

export const reason = "At random"
