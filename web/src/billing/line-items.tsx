import { ActionIcon, Button, Group, NumberInput, Pagination, Table, Text, TextInput } from "@mantine/core"
import { lineTotal } from "@milkwood/domain/kernel/money"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { memo, useState } from "react"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import classes from "./invoice.module.css"
import { createEmptyLine, type InvoiceErrors, type LineValues } from "./invoice-values.ts"

interface LineItemsProps {
  lines: LineValues[]
  onChange: (change: (lines: LineValues[]) => LineValues[]) => void
  errors: InvoiceErrors
}

const linesPerPage = 50

/** 50 per page, because a month can have thousands. */
export function LineItems({ lines, onChange, errors }: LineItemsProps) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(lines.length / linesPerPage))
  const at = Math.min(page, pages)
  const start = (at - 1) * linesPerPage
  const edit = (key: string, change: Partial<LineValues>) =>
    onChange((all) => all.map((line) => (line.key === key ? { ...line, ...change } : line)))
  return (
    <div>
      <div className={classes.tableScroll}>
        <Table className={classes.lineTable} verticalSpacing={6} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Description</Table.Th>
              <Table.Th w={92}>Quantity</Table.Th>
              <Table.Th w={150}>Unit price</Table.Th>
              <Table.Th w={130} className={classes.right}>
                Line total
              </Table.Th>
              <Table.Th w={40}>
                <span className="visually-hidden">Remove</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.slice(start, start + linesPerPage).map((line, index) => (
              <LineRow
                key={line.key}
                line={line}
                place={start + index}
                only={lines.length === 1}
                onEdit={edit}
                onRemove={(key) => onChange((all) => all.filter((each) => each.key !== key))}
                description={errors[`lines.${start + index}.description`]}
                quantity={errors[`lines.${start + index}.quantity`]}
                price={errors[`lines.${start + index}.unitCents`]}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {errors.lines && (
        <Text c="red" size="sm" role="alert" mt={4}>
          {errors.lines}
        </Text>
      )}
      <Group justify="space-between" mt="xs">
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange((all) => [...all, createEmptyLine()])
            setPage(Math.ceil((lines.length + 1) / linesPerPage))
          }}
        >
          Add line
        </Button>
        {pages > 1 && (
          <Group gap="xs">
            <Text c="dimmed" size="sm">
              {lines.length} lines
            </Text>
            <Pagination
              size="sm"
              total={pages}
              value={at}
              onChange={setPage}
              getControlProps={(control) => ({ "aria-label": `${control} page of lines` })}
            />
          </Group>
        )}
      </Group>
    </div>
  )
}

interface LineRowProps {
  line: LineValues
  place: number
  only: boolean
  onEdit: (key: string, change: Partial<LineValues>) => void
  onRemove: (key: string) => void
  description: string | undefined
  quantity: string | undefined
  price: string | undefined
}

const LineRow = memo(
  function LineRow({ line, place, only, onEdit, onRemove, description, quantity, price }: LineRowProps) {
    const name = `line ${place + 1}`
    const readable = typeof line.quantity === "number" && Number.isInteger(line.quantity) && line.unitCents !== null
    return (
      <Table.Tr>
        <Table.Td className={classes.description} data-label="Description">
          <TextInput
            aria-label={`Description, ${name}`}
            value={line.description}
            maxLength={300}
            error={description}
            onChange={(event) => onEdit(line.key, { description: event.currentTarget.value })}
          />
        </Table.Td>
        <Table.Td data-label="Quantity">
          <NumberInput
            aria-label={`Quantity, ${name}`}
            value={line.quantity}
            min={1}
            max={100_000}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            error={quantity}
            onChange={(value) => onEdit(line.key, { quantity: value })}
          />
        </Table.Td>
        <Table.Td data-label="Unit price">
          <MoneyInput
            aria-label={`Unit price, ${name}`}
            value={line.unitCents}
            error={price}
            onChange={(unitCents) => onEdit(line.key, { unitCents })}
          />
        </Table.Td>
        <Table.Td className={classes.right} data-label="Line total">
          <MoneyText cents={readable ? lineTotal(line.quantity as number, line.unitCents ?? 0) : null} />
        </Table.Td>
        <Table.Td className={classes.remove}>
          <ActionIcon
            aria-label={`Remove ${name}`}
            title={only ? "An invoice needs at least one line" : `Remove ${name}`}
            disabled={only}
            onClick={() => onRemove(line.key)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Table.Td>
      </Table.Tr>
    )
  },
  (before, after) =>
    before.line === after.line &&
    before.place === after.place &&
    before.only === after.only &&
    before.description === after.description &&
    before.quantity === after.quantity &&
    before.price === after.price,
)
