import { ActionIcon, Button, Group } from "@mantine/core"
import type { LinePart, OfferedPart } from "@milkwood/domain/banking/matching.contract"
import type { Cents } from "@milkwood/domain/kernel/money"
import { IconX } from "@tabler/icons-react"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { MoneyInput } from "../../ui/money-input.tsx"
import classes from "./matching.module.css"

/** The amount is positive for money in and money out. */
export type TypedPart = Pick<OfferedPart, "as" | "id" | "label" | "name"> & { cents: Cents | null }

export const linePartsOf = (typed: readonly TypedPart[], lineCents: Cents): LinePart[] =>
  typed.map(({ as, id, cents }) => ({ as, id, amountCents: Math.sign(lineCents) * (cents ?? 0), allocations: null }))

/** The unassigned amount in cents; negative if the parts exceed the line. */
export const remainingCentsOf = (typed: readonly TypedPart[], lineCents: Cents): Cents =>
  Math.abs(lineCents) - typed.reduce((sum, { cents }) => sum + (cents ?? 0), 0)

interface SplitPanelProps {
  typed: readonly TypedPart[]
  onChange: (typed: TypedPart[]) => void
  onStop: () => void
}

export function SplitPanel({ typed, onChange, onStop }: SplitPanelProps) {
  return (
    <section className={classes.split} aria-label="Split">
      <Group justify="space-between">
        <h2 className={classes.heading}>
          {typed.length === 0
            ? "Split the line"
            : `Split into ${typed.length === 1 ? "1 part" : `${typed.length} parts`}`}
        </h2>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Cancel split
        </Button>
      </Group>
      {typed.length === 0 && (
        <p className={classes.words}>Choose a suggestion below or search for a policy. Enter adds it.</p>
      )}
      {typed.map((part, at) => (
        <div key={`${part.as} ${part.id}`} className={classes.typed}>
          <span className={classes.whose}>
            <strong>{part.name}</strong> <DocumentNumber>{part.label}</DocumentNumber>
          </span>
          <MoneyInput
            size="xs"
            w={150}
            aria-label={`Amount for ${part.label}`}
            value={part.cents}
            onChange={(cents) => onChange(typed.with(at, { ...part, cents }) as TypedPart[])}
          />
          <ActionIcon
            variant="subtle"
            size={24}
            aria-label={`Remove ${part.label}`}
            onClick={() => onChange(typed.toSpliced(at, 1))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
    </section>
  )
}
