import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LineCandidate, LinePart } from "@milkwood/domain/banking/matching.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { errorText } from "../../platform/errors.ts"
import { useCommand } from "../../ui/use-command.ts"

const suggestionsOf = (lineId: string, search = "") =>
  api.banking.suggestions.queryOptions({ input: { lineIds: [lineId], search } })

/** So many lines ahead are asked about before one comes to them. */
const ahead = 8

/**
 * Where somebody is among the lines to match, and what they do with them. A line that was confirmed is gone from the
 * list at once, and the next one stands there; what the server refuses comes back with its reason. Where somebody else
 * matched the chosen one, `taken` says so, and nothing is done with the next one until that was read.
 */
export function useMatching(lines: readonly BankLineRow[], first: string | undefined) {
  const [chosen, setChosen] = useState(first)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [taken, setTaken] = useState<string>()
  const own = useRef(new Set<string>())
  const acts = useRef<{ ids: readonly string[]; asked: Promise<unknown> }[]>([])
  const place = useRef(0)
  const shown = useMemo(() => lines.filter(({ id }) => !gone.has(id)), [lines, gone])
  const found = shown.findIndex(({ id }) => id === chosen)
  const at = found >= 0 ? found : Math.max(0, Math.min(place.current, shown.length - 1))
  place.current = at
  const line = shown[at]
  usePrefetched(shown.slice(at, at + ahead))

  const options = { failure: "Failed to match the line" }
  const confirm = useCommand(api.banking.confirm, options)
  const join = useCommand(api.banking.join, { failure: "Failed to join the lines" })
  const undo = useCommand(api.banking.undo, { success: "Taken back: to be matched again", failure: "Failed to undo" })
  const decline = useCommand(api.banking.decline, { failure: "Failed to decline the suggestion" })

  const stood = useRef(line)
  useEffect(() => {
    const was = stood.current
    stood.current = line
    const isGone = was && was.id !== line?.id && !lines.some(({ id }) => id === was.id)
    if (isGone && !own.current.has(was.id)) setTaken(was.text || was.reference)
  }, [line, lines])

  const choose = useCallback(
    (index: number) => {
      setTaken(undefined)
      setChosen(shown[index]?.id)
    },
    [shown],
  )
  const marks = shown.filter(({ id }) => marked.has(id))
  /** The lines that an act is about: those that are marked, otherwise the one that is chosen. */
  const meant = marks.length > 1 ? marks : line ? [line] : []

  /** Takes lines off the list while the server is asked, and puts them back where it refuses. */
  const away = (ids: readonly string[], asked: Promise<unknown>) => {
    const next =
      shown.slice(at + 1).find(({ id }) => !ids.includes(id)) ?? shown.findLast(({ id }) => !ids.includes(id))
    setChosen(next?.id)
    for (const id of ids) own.current.add(id)
    setGone((before) => new Set([...before, ...ids]))
    setMarked(new Set())
    setRefused((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
    const act = { ids, asked }
    acts.current.push(act)
    asked.catch((error: unknown) => {
      acts.current = acts.current.filter((one) => one !== act)
      for (const id of ids) own.current.delete(id)
      setGone((before) => new Set([...before].filter((id) => !ids.includes(id))))
      setRefused((before) => new Map([...before, ...ids.map((id) => [id, errorText(error)] as const)]))
    })
  }
  const takeBack = async () => {
    const act = acts.current.pop()
    // What was refused is there again already.
    const done = await act?.asked.then(
      () => true,
      () => false,
    )
    if (!act || !done) return
    const lineIds = [...act.ids]
    await undo.mutateAsync({ lineIds, idempotencyKey: newKey() }).then(
      () => {
        for (const id of lineIds) own.current.delete(id)
        setGone((before) => new Set([...before].filter((id) => !lineIds.includes(id))))
        setChosen(lineIds[0])
      },
      () => acts.current.push(act),
    )
  }

  return {
    shown,
    at,
    line,
    marked,
    meant,
    refused: line && refused.get(line.id),
    /** The text of the line that stood here until somebody else matched it. */
    taken,
    goOn: () => setTaken(undefined),
    isBusy: confirm.isPending || join.isPending || undo.isPending,
    canUndo: acts.current.length > 0,
    choose,
    mark: (id: string) =>
      setMarked((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    confirm: (parts: readonly LinePart[]) => {
      if (!line) return
      const asked = confirm.mutateAsync({ lineId: line.id, parts: partInputs(parts), idempotencyKey: newKey() })
      away([line.id], asked)
    },
    join: (to: { as: "policy" | "receipt"; id: string }) => {
      const lineIds = meant.map(({ id }) => id)
      away(lineIds, join.mutateAsync({ lineIds, to: { ...to, allocations: null }, idempotencyKey: newKey() }))
    },
    /** Puts lines elsewhere than on a candidate. */
    put: (ids: readonly string[], asked: Promise<unknown>) => away(ids, asked),
    /** Lines that a dialog is about to put elsewhere. */
    leaving: (ids: readonly string[]) => {
      for (const id of ids) own.current.add(id)
    },
    /** Lines that were put elsewhere by a dialog. */
    left: (ids: readonly string[]) => away(ids, Promise.resolve()),
    decline: (candidate: LineCandidate) => {
      if (line) decline.mutate({ lineId: line.id, key: candidate.key, idempotencyKey: newKey() })
    },
    undo: () => void takeBack(),
  }
}

export type Matching = ReturnType<typeof useMatching>

/** What a line may be; what is searched for stands first. */
export const useSuggestions = (line: BankLineRow | undefined, search: string) =>
  useQuery({
    ...suggestionsOf(line?.id ?? "", search),
    enabled: line !== undefined,
    placeholderData: (before) => (before?.[0]?.lineId === line?.id ? before : undefined),
  })

/** Asks about the next lines in one call, so that each stands there when one comes to it. */
function usePrefetched(next: readonly BankLineRow[]): void {
  const queryClient = useQueryClient()
  const ids = next.map(({ id }) => id).join()
  useEffect(() => {
    const lineIds = ids
      .split(",")
      .filter((id) => id !== "" && queryClient.getQueryState(suggestionsOf(id).queryKey) === undefined)
    if (lineIds.length < ahead / 2) return
    const asked = api.banking.suggestions.queryOptions({ input: { lineIds, search: "" } })
    queryClient.fetchQuery(asked).then(
      (found) => {
        for (const one of found) queryClient.setQueryData(suggestionsOf(one.lineId).queryKey, [one])
      },
      // It is asked for again when one comes to it, and says then what is wrong.
      () => {},
    )
  }, [ids, queryClient])
}
