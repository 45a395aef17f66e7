import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"

/** `size` is in bytes. */
export const documentShape = <T extends string>(documentType: z.ZodType<T>) =>
  z.object({
    id: z.uuid(),
    documentType,
    name: z.string(),
    mime: z.string(),
    size: z.int(),
    uploadedBy: z.string(),
    uploadedAt: instant,
  })
