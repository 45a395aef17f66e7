import { Button, Text, TextInput } from "@mantine/core"
import { parseShare, shareText, wholeShare } from "@milkwood/domain/kernel/shares"

interface ShareInputProps {
  /** Names the person. */
  title: string
  value: string
  /** The share that is not yet assigned. */
  left: number
  inputProps: object
  onFill: (share: string) => void
}

/** A typed share in per cent. "Rest" adds the unassigned share, or takes away what is too much. */
export function ShareInput({ title, value, left, inputProps, onFill }: ShareInputProps) {
  const rest = (parseShare(value) ?? 0) + left
  return (
    <TextInput
      label="Share (%)"
      required
      inputMode="decimal"
      maxLength={8}
      {...inputProps}
      rightSectionWidth={64}
      rightSection={
        left !== 0 && rest > 0 ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Give the rest to ${title}: ${shareText(rest)} %`}
            onClick={() => onFill(shareText(rest))}
          >
            Rest
          </Button>
        ) : undefined
      }
    />
  )
}

export const unassignedShare = (rows: readonly { share: string }[]): number =>
  wholeShare - rows.reduce((sum, { share }) => sum + (parseShare(share) ?? 0), 0)

export function ShareTotal({ left }: { left: number }) {
  return (
    <Text size="sm" role="status" c={left === 0 ? "dimmed" : "red"}>
      {left === 0
        ? "The shares add up to 100.00 %."
        : left > 0
          ? `Remaining: ${shareText(left)} %`
          : `${shareText(-left)} % too much`}
    </Text>
  )
}
