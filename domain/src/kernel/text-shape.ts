import { z } from "zod"
import { isEmail } from "./email.ts"
import { isPhone, phoneWords } from "./phone.ts"
import { oneLine, severalLines } from "./text.ts"

export const line = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(oneLine).max(most, tooLong)

export const emailAddress = (wrong: string) => z.string().overwrite(oneLine).refine(isEmail, wrong)

export const emailOrNothing = z
  .string()
  .overwrite(oneLine)
  .refine((address) => address === "" || isEmail(address), "This is not an e-mail address")

export const phoneOrNothing = line(40).refine((number) => number === "" || isPhone(number), phoneWords)

export const text = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(severalLines).max(most, tooLong)
