import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const bankingSettings = {
  /** lines of the bank with an exact, unique reference, or of a payer whom people confirmed three times, post by themselves */
  matchByItself: setting(z.boolean(), false),
  /** up to this amount, in cents */
  matchByItselfUpToCents: setting(cents.min(0, "A limit is not negative").max(100_000_000_000), 0),
}
