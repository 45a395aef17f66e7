import { z } from "zod"

/** The shape of an amount in the API: a whole number of cents, within what a JSON number holds exactly. */
export const cents = z.int()
