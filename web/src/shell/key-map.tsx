import { Kbd, Modal, Switch } from "@mantine/core"
import { modKey, singleKeys, useSingleKeys } from "../platform/keyboard.ts"
import classes from "./key-map.module.css"
import { useNavigation } from "./use-navigation.ts"

type Row = [keys: string[], what: string]

export default function KeyMap({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const on = useSingleKeys()
  const go: Row[] = useNavigation().flatMap(({ key, label }): Row[] => (key ? [[["g", key], label]] : []))
  const parts: [string, Row[]][] = [
    [
      "Anywhere",
      [
        [[modKey, "K"], "Search records and pages"],
        [["?"], "Keyboard map"],
        [[modKey, "S"], "Save"],
        [[modKey, "Enter"], "Primary action"],
        [["Esc"], "Close"],
      ],
    ],
    ["Go to", go],
    [
      "Lists",
      [
        [["/"], "Search in the list"],
        [["j"], "Next row"],
        [["k"], "Previous row"],
        [["Enter"], "Open the row"],
        [["Space"], "Preview the row"],
        [["x"], "Select the row"],
        [["."], "Actions of the row"],
        [["n"], "New"],
      ],
    ],
    ["Forms", [[["Alt", "↓"], "Open the calendar or the list"]]],
    [
      "Matching",
      [
        [["↑", "↓"], "Previous line, next line"],
        [["←", "→"], "Previous suggestion, next suggestion"],
        [["Enter"], "Confirm"],
        [["s"], "Split"],
        [["n"], "Not a premium or claim payment"],
        [["d"], "Decline suggestion"],
        [["x"], "Select the line to match several together"],
        [[modKey, "Z"], "Undo"],
      ],
    ],
    [
      "Records",
      [
        [["e"], "Edit the record, or its first section"],
        [["["], "Previous in the list"],
        [["]"], "Next in the list"],
      ],
    ],
    [
      "Approval",
      [
        [["a"], "Approve"],
        [["r"], "Reject"],
        [["i"], "Claim information"],
      ],
    ],
  ]
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard map" size={680}>
      <Switch
        mb="md"
        label="Single keys"
        description={`Combinations with ${modKey} always work.`}
        checked={on}
        onChange={(event) => singleKeys.set(event.currentTarget.checked)}
      />
      <div className={classes.parts}>
        {parts
          .filter(([, rows]) => rows.length > 0)
          .map(([title, rows]) => (
            <section key={title}>
              <h3 className={classes.title}>{title}</h3>
              <dl className={classes.rows}>
                {rows.map(([keys, what]) => (
                  <div key={what}>
                    <dt>
                      {keys.map((key) => (
                        <Kbd key={key} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </dt>
                    <dd>{what}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Modal>
  )
}
