import { z } from "zod"
import { isEmail } from "./email.ts"
import { isPhone, phoneWords } from "./phone.ts"
import { oneLine, severalLines } from "./text.ts"

/** A field of one line in the API, of at most so many characters. */
export const line = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(oneLine).max(most, tooLong)

/** An e-mail address in the API. */
export const emailAddress = (wrong: string) => z.string().overwrite(oneLine).refine(isEmail, wrong)

/** An e-mail address in the API, or nothing. */
export const emailOrNothing = z
  .string()
  .overwrite(oneLine)
  .refine((address) => address === "" || isEmail(address), "This is not an e-mail address")

/** A phone number in the API, or nothing. */
export const phoneOrNothing = line(40).refine((number) => number === "" || isPhone(number), phoneWords)

/** A field of several lines in the API, of at most so many characters. */
export const text = (most: number, tooLong = `At most ${most} characters`) =>
  z.string().overwrite(severalLines).max(most, tooLong)
