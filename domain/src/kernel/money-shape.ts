import { z } from "zod"

/** Whole cents within the safe integers of JSON. */
export const cents = z.int()
