import type { UseFormReturnType } from "@mantine/form"
import { useState } from "react"
import { staleRecord } from "../platform/errors.ts"
import { type Clash, clashesOf } from "../ui/stale-choice.tsx"

/** What somebody else saved while a form was open. */
export interface Merge<Values> {
  clashes: Clash[]
  theirs: Values
}

/**
 * Keeps a form of a versioned record through a STALE refusal: what only they changed is taken over, what both
 * changed is put before the person, what only I changed stays, and the next save names their version.
 *
 *     const { version, merge, keep } = useMerge(form, row, (row) => ({ name: row.name }), () => client.tiers.get({ id }))
 *     save={(values) => update({ ...values, id, version }).catch(keep)}
 *     {merge && <StaleChoice clashes={merge.clashes} … />}
 */
export function useMerge<Record extends { version: number }, Values extends object>(
  form: UseFormReturnType<Values>,
  record: Record | undefined,
  valuesOf: (record: Record) => Values,
  reload: () => Promise<Record>,
) {
  const [base, setBase] = useState(record)
  const [merge, setMerge] = useState<Merge<Values>>()
  return {
    version: base?.version ?? 0,
    /** What the form started from, and goes back to. */
    base,
    merge,
    /** Starts over from a record that was saved or loaded. */
    restart(next: Record) {
      setBase(next)
      setMerge(undefined)
      form.setInitialValues(valuesOf(next))
      form.setValues(valuesOf(next))
    },
    /** Takes in a refusal, and throws it on for whoever shows it. */
    async keep(error: unknown): Promise<never> {
      const current = await staleRecord(error, reload)
      if (current && base) {
        const [before, mine, theirs] = [valuesOf(base), form.getValues(), valuesOf(current)]
        const names = Object.keys(theirs) as (keyof Values & string)[]
        for (const name of names) {
          if (same(mine[name], before[name])) form.setFieldValue(name, theirs[name] as never)
        }
        form.setInitialValues(theirs)
        setMerge({ clashes: clashesOf(names, before, mine, theirs), theirs })
        setBase(current)
      }
      throw error
    },
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
