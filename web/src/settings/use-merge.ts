import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { readIfStale } from "../platform/errors.ts"
import { conflictsOf, type FieldConflict } from "../ui/stale-choice.tsx"

/** Changes that another user saved while a form was open. */
export interface MergeState<Values> {
  clashes: FieldConflict[]
  theirs: Values
}

/**
 * Merges a form after a STALE refusal: the other user's changes are adopted, clashes are shown, own changes are
 * preserved. The next save uses the new version.
 *
 *     const { version, merge, keep } = useMerge(form, row, (row) => ({ name: row.name }), () => client.tiers.get({ id }))
 *     save={(values) => update({ ...values, id, version }).catch(keep)}
 *     {merge && <ConflictChoice clashes={merge.clashes} … />}
 */
export function useMerge<Record extends { version: number }, Values extends object>(
  form: UseFormReturnType<Values>,
  record: Record | undefined,
  valuesOf: (record: Record) => Values,
  reload: () => Promise<Record>,
) {
  const [base, setBase] = useState(record)
  const [merge, setMerge] = useState<MergeState<Values>>()
  return {
    version: base?.version ?? 0,
    /** The values before any change, which a reset restores. */
    base,
    merge,
    /** Call with a record after saving or loading it. */
    restart(next: Record) {
      setBase(next)
      setMerge(undefined)
      form.setInitialValues(valuesOf(next))
      form.setValues(valuesOf(next))
    },
    /** Merges a STALE refusal, then rethrows the error. */
    async keep(error: unknown): Promise<never> {
      const current = await readIfStale(error, reload)
      if (current && base) {
        const [before, mine, theirs] = [valuesOf(base), form.getValues(), valuesOf(current)]
        const names = Object.keys(theirs) as (keyof Values & string)[]
        for (const name of names) {
          if (isEqualValue(mine[name], before[name])) form.setFieldValue(name, theirs[name] as never)
        }
        form.setInitialValues(theirs)
        setMerge({ clashes: conflictsOf(names, before, mine, theirs), theirs })
        setBase(current)
      }
      throw error
    },
  }
}

const isEqualValue = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
