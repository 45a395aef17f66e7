import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { setUpSteps } from "./set-up-steps.ts"

/** Not part of the settings form, so saving or resetting settings keeps it. */
export const setUpSettings = { skippedSetUpSteps: setting(z.array(z.enum(setUpSteps)), []) }
