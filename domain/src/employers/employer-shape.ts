import { line } from "../kernel/text-shape.ts"

/** The name of an employer group, which is unique in any letter case. */
export const groupName = line(200).min(1, "Give the group a name")
