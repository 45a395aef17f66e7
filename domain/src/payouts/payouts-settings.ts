import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"

export const payoutsSettings = {
  /** up to this amount, in cents, the person who prepared a payment may also release it; 0 means never */
  releaseLimitCents: setting(cents.min(0, "A limit is not negative").max(100_000_000_000), 0),
}
