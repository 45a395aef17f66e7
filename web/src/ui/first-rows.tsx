import { ScrollArea, Table } from "@mantine/core"

export function FirstRows({ headers, rows }: { headers: readonly string[]; rows: readonly (readonly string[])[] }) {
  const columns = headers.map((header, at) => ({ id: `column ${at}`, header, at }))
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="x"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "First rows of the file" }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, header }) => (
              <Table.Th key={id} style={{ whiteSpace: "nowrap" }}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: Rows of a file have no id, and their order is fixed.
            <Table.Tr key={row}>
              {columns.map(({ id, at }) => (
                <Table.Td key={id}>{cells[at]}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
