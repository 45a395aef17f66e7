import { z } from "zod"
import { accountNames } from "./account.ts"

export const account = z.enum(accountNames)
