import { TextInput } from "@mantine/core"
import { screen, waitFor } from "@testing-library/react"
import { expect, it } from "vitest"
import { focusedElement, openComponent } from "../test/part.tsx"
import { RecordPage } from "./record-page.tsx"
import { SectionEditor } from "./section-editor.tsx"

it.each(["Cancel", "Save Changes"])("leaving a section by %s focuses the section's Edit button", async (name) => {
  const { user } = await openComponent(() => (
    <RecordPage list="members" id="1" back={{ to: "/", label: "Back" }} title="Thandi Dube" name="Thandi Dube">
      <SectionEditor
        name="contact"
        title="Contact"
        record={{ version: 1, email: "thandi@example.com" }}
        canEdit
        values={({ email }) => ({ email })}
        fields={{ email: { label: "E-mail" } }}
        save={async () => {}}
        reload={async () => ({ version: 2, email: "thandi@example.com" })}
      >
        {(form) => <TextInput label="E-mail" {...form.getInputProps("email")} />}
      </SectionEditor>
    </RecordPage>
  ))
  await user.click(screen.getByRole("button", { name: "Edit Contact" }))
  expect(focusedElement()).toBe(screen.getByRole("textbox", { name: "E-mail" }))
  await user.click(screen.getByRole("button", { name }))
  await waitFor(() => expect(focusedElement()).toBe(screen.getByRole("button", { name: "Edit Contact" })))
})
