import { z } from "zod"
import { addressesIn, isEmail, isRecipientLine } from "./email.ts"
import { isPhone, phoneMessage } from "./phone.ts"
import { normalizeLine, normalizeLines } from "./text.ts"

export const line = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(normalizeLine).max(most, tooLong)

export const emailAddress = (wrong: string) => z.string().overwrite(normalizeLine).refine(isEmail, wrong)

/** One or several addresses; normalized to `a@x.example, b@x.example`. */
export const recipientLine = (wrong: string) =>
  z
    .string()
    .overwrite((addresses) => addressesIn(addresses).join(", "))
    .refine(isRecipientLine, wrong)

export const optionalEmail = z
  .string()
  .overwrite(normalizeLine)
  .refine((address) => address === "" || isEmail(address), "This is not an e-mail address")

export const optionalPhone = line(40).refine((number) => number === "" || isPhone(number), phoneMessage)

export const text = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(normalizeLines).max(most, tooLong)
