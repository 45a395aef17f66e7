import { line } from "../kernel/text-shape.ts"

/** Unique, case-insensitively. */
export const groupName = line(200).min(1, "Enter the group name")
