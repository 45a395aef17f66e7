import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useRef } from "react"
import type { ListPlace, ListSearch } from "../list-address.ts"
import { useDelayedFlag } from "./table-states.tsx"
import type { ListAnswer, ListQuery } from "./types.ts"

const emptyList: never[] = []

/** The previous page stays on screen while the next one loads or fails. */
export function useListAnswer<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  list: ListPlace<Search>,
  asked: ListQuery<Answer>,
) {
  const query = useQuery({ ...asked, placeholderData: keepPreviousData })
  const before = useRef<Answer>(undefined)
  if (query.data) before.current = query.data
  // After a failed load the query cache would drop the previous rows.
  const answer = query.data ?? before.current
  const rows: Row[] = answer?.rows ?? emptyList
  const pages = Math.ceil((answer?.total ?? 0) / list.search.pageSize)
  const isHere = query.isSuccess && !query.isPlaceholderData
  const late = useDelayedFlag(query.isFetching && (query.isPlaceholderData || !answer))

  const beyondEnd = isHere && rows.length === 0 && pages > 0 && list.search.page > pages && !answer?.totalIsCapped
  const toLastPage = useEffectEvent(() => list.go({ page: pages } as Partial<Search>, { replace: true }))
  useEffect(() => {
    if (beyondEnd) toLastPage()
  }, [beyondEnd])

  return { query, answer, rows, pages, isHere, late }
}
