import { Button, Skeleton, Stack } from "@mantine/core"
import { workItemKindOf, workItemSearch } from "@milkwood/domain/reports/needs"
import { useQuery } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { useDisplay } from "../ui/display.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./dashboard.module.css"

export const useNeeds = () => useQuery(api.reports.needsYou.queryOptions({ input: {} }))

export function NeedsYou({ needs: query }: { needs: ReturnType<typeof useNeeds> }) {
  const { today } = useDisplay()
  if (query.isError && !query.data) {
    return (
      <LoadFailed
        error={query.error}
        onRetry={query.refetch}
        busy={query.isFetching}
        title='Failed to load "Needs you"'
      />
    )
  }
  if (!query.data) {
    return (
      <Stack gap="xs">
        {[1, 2, 3].map((line) => (
          <Skeleton key={line} height={28} />
        ))}
      </Stack>
    )
  }
  if (query.data.length === 0)
    return <p className={classes.nothing}>You have no open work. New work will appear here.</p>
  return (
    <ul className={classes.needs}>
      {query.data.map(({ key, count, late, cents, dueOn, next }) => {
        const { one, many, action, list } = workItemKindOf(key)
        const link = { to: list, search: workItemSearch(key, today) } as LinkProps
        const words = count === 1 ? one : many
        return (
          <li key={key} className={classes.need}>
            <Link {...link} className={classes.needWords}>
              <span className={classes.count}>{count.toLocaleString("en-ZA")}</span> {words}
            </Link>
            <span className={classes.risk}>
              {late === 0 && dueOn && (
                <span className={classes.due}>
                  by <DayText day={dueOn} />
                </span>
              )}
              {late > 0 && <span className={classes.late}>{late === count ? "late" : `${late} late`}</span>}
              {cents !== null && cents > 0 && <MoneyText cents={cents} />}
            </span>
            <Button
              size="compact-sm"
              variant={late > 0 ? "filled" : "default"}
              aria-label={`${action}: ${count} ${words}`}
              renderRoot={(props) => (next ? <Link {...props} to={next} /> : <Link {...props} {...link} />)}
            >
              {action}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
