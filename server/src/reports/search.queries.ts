import type { FoundRecord } from "@milkwood/domain/platform/platform.contract"
import type { Cx } from "../platform/commands.ts"

/** Finds records of every room for the palette. */
export async function searchRecords(_cx: Cx, _text: string, _limit: number): Promise<FoundRecord[]> {
  return []
}
