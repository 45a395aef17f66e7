import type { Reactions } from "./platform/facts.ts"

/** Who reacts to which news, in the same transaction as the news itself. */
export const reactions: Reactions = {}
