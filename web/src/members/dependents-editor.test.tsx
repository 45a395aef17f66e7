import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { screen } from "@testing-library/react"
import { useState } from "react"
import { expect, it } from "vitest"
import { focusedElement, openComponent } from "../test/part.tsx"
import { DependentsEditor } from "./dependents-editor.tsx"

const createDependent = (firstName: string): DependentInput => ({
  firstName,
  lastName: "Dube",
  relationship: "child",
  dateOfBirth: "2020-01-31",
  idNumber: null,
  gender: null,
})

it("removing a dependent focuses the next one, else the previous one, else the Add button", async () => {
  const { user } = await openComponent(function Part() {
    const [value, setValue] = useState(["Ayanda", "Bongi", "Cebo"].map(createDependent))
    return <DependentsEditor value={value} onChange={setValue} />
  })
  const button = (name: string) => screen.getByRole("button", { name })
  button("Remove Bongi Dube").focus()
  await user.keyboard("{Enter}")
  expect(focusedElement()).toBe(button("Remove Cebo Dube"))
  await user.keyboard("{Enter}")
  expect(focusedElement()).toBe(button("Remove Ayanda Dube"))
  await user.keyboard("{Enter}")
  expect(focusedElement()).toBe(button("Add dependent"))
})
