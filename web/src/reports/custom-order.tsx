import { Select, SimpleGrid, Text } from "@mantine/core"
import {
  type CustomDefinition,
  customColumns,
  customSources,
  fieldsWithoutColumn,
  findField,
} from "@milkwood/domain/reports/custom-report"

interface CustomOrderProps {
  definition: CustomDefinition
  onChange: (change: Partial<CustomDefinition>) => void
}

const directionOptions = [
  { value: "asc", label: "Ascending" },
  { value: "desc", label: "Descending" },
]

export function CustomOrder({ definition, onChange }: CustomOrderProps) {
  const { type, groupBy, order } = definition
  const columns = customColumns(definition)
  const dropped = fieldsWithoutColumn(definition)
  const groups = Object.entries(customSources[type].fields).filter(([, field]) => field.groups)
  return (
    <>
      <Select
        label="Group by"
        placeholder="No groups"
        clearable
        searchable
        data={groups.map(([value, { title, kind }]) => ({ value, label: kind === "day" ? `${title} (month)` : title }))}
        value={groupBy}
        onChange={(value) => onChange({ groupBy: value, chart: null })}
      />
      {groupBy && (
        <Text size="xs" c="dimmed">
          One line for each {columns[0]![1].title.toLowerCase()}, with the number of {customSources[type].noun.many} and
          the totals of the amounts you selected.
          {dropped.length > 0 && ` Not shown when grouped: ${dropped.map(({ title }) => title).join(", ")}.`}
        </Text>
      )}
      {groupBy && (
        <Select
          label="Chart"
          placeholder="No chart"
          clearable
          data={[
            { value: "bars", label: "Bars" },
            ...(findField(type, groupBy)?.kind === "day" ? [{ value: "lines", label: "Lines" }] : []),
          ]}
          value={definition.chart}
          onChange={(chart) => onChange({ chart: chart as CustomDefinition["chart"] })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Order by"
          placeholder={columns[0]?.[1].title ?? "First column"}
          clearable
          data={columns.map(([value, { title }]) => ({ value, label: title }))}
          value={order?.by ?? null}
          onChange={(by) => onChange({ order: by ? { by, dir: order?.dir ?? "asc" } : null })}
        />
        <Select
          label="Direction"
          allowDeselect={false}
          disabled={!order}
          data={directionOptions}
          value={order?.dir ?? "asc"}
          onChange={(dir) => order && onChange({ order: { ...order, dir: dir as "asc" | "desc" } })}
        />
      </SimpleGrid>
    </>
  )
}
