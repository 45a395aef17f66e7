import { allowBreaks } from "../breakable.tsx"
import classes from "./data-table.module.css"
import { RowCheckbox } from "./row-check.tsx"
import { RowMenu } from "./row-menu.tsx"
import { RowLink, type RowsProps } from "./table-rows.tsx"

export default function TableCards<Row>(props: RowsProps<Row>) {
  const { rows, columns, noun, rowId, rowLink, rowActions, maySelect, selected, everyMatch } = props
  const title = columns.find((column) => column.card === "title") ?? columns[0]!
  const asides = columns.filter((column) => column.card === "aside" && column !== title)
  const lines = columns.filter(
    (column) => column !== title && column.card !== "aside" && column.card !== "none" && column.card !== "title",
  )
  return (
    <ul className={classes.cards} aria-label={noun.many}>
      {rows.map((row) => {
        const id = rowId(row)
        const name = props.rowName?.(row) ?? `this ${noun.one}`
        const link = rowLink?.(row)
        return (
          <li key={id} data-row={id} className={classes.card} data-chosen={everyMatch || selected.has(id) || undefined}>
            <div className={classes.cardHead}>
              {maySelect && (
                <RowCheckbox
                  aria-label={`Select ${name}`}
                  checked={everyMatch || selected.has(id)}
                  onChange={() => props.onToggle(id)}
                />
              )}
              <div className={classes.cardWords}>
                <div className={classes.cardTitle}>
                  {link ? (
                    <RowLink link={link} onFollow={props.onFollow}>
                      {title.cell(row)}
                    </RowLink>
                  ) : (
                    title.cell(row)
                  )}
                </div>
                {asides.map((column) => (
                  <div key={column.key}>{column.cell(row)}</div>
                ))}
              </div>
              {rowActions && rowActions(row).length > 0 && (
                <RowMenu label={`Actions for ${name}`} actions={() => rowActions(row)} />
              )}
            </div>
            <dl className={classes.cardLines}>
              {lines.map((column) => (
                <div key={column.key}>
                  <dt>{column.header}</dt>
                  <dd>{allowBreaks(column.cell(row))}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
