import { Skeleton } from "@mantine/core"
import { Link, type LinkProps } from "@tanstack/react-router"
import type { ReactNode } from "react"
import classes from "./summary-cards.module.css"

export interface SummaryCard {
  label: string
  value: ReactNode | undefined
  hint?: ReactNode
  link?: LinkProps
  active?: boolean
}

/**
 * Figures that filter the list below; the active card clears its filter. `failed` stops the loading state; the list
 * shows the error and Retry.
 *
 *     <SummaryCards failed={query.isError} cards={[
 *       { label: "Pending review", value: counts?.pending, active: search.tab === "pending",
 *         link: { to: "/claims", search: { tab: search.tab === "pending" ? "all" : "pending" } } },
 *     ]} />
 */
export function SummaryCards({ cards, failed = false }: { cards: SummaryCard[]; failed?: boolean }) {
  return (
    <ul className={classes.cards}>
      {cards.map((card) => {
        const inside = (
          <>
            <span className={classes.label}>{card.label}</span>
            <span className={classes.value}>
              {formatCardValue(card.value) ?? (failed ? "–" : <Skeleton height={24} width={72} my={2} />)}
            </span>
            {card.hint !== undefined && <span className={classes.hint}>{card.hint}</span>}
          </>
        )
        return (
          <li key={card.label} className={classes.item}>
            {card.link ? (
              <Link
                {...card.link}
                className={classes.card}
                data-link
                data-active={card.active || undefined}
                aria-current={card.active ? "true" : undefined}
                activeProps={{}}
              >
                {inside}
              </Link>
            ) : (
              <div className={classes.card}>{inside}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const formatCardValue = (value: ReactNode): ReactNode =>
  typeof value === "number" ? value.toLocaleString("en-ZA") : value
