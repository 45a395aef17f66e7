import { fork } from "node:child_process"
import { writeFileSync } from "node:fs"
import { abort } from "node:process"
import type { ReadFile } from "./read-apart.ts"
import { unreadableFile } from "./unreadable.ts"

export type Task =
  | "parts"
  | "moments"
  | "unreadable"
  | "fails"
  | "aborts"
  | "hangs"
  | "eats"
  | "writes"
  | "starts"
  | "connects"
  | "environment"

const read: ReadFile<Task, string> = async (task, deliver) => {
  if (task === "parts") for (const part of ["one", "two", "three"]) await deliver(part)
  if (task === "moments") for (let part = 0; part < 3; part++) await deliver(String(Date.now()))
  if (task === "unreadable") throw unreadableFile("Not a list.")
  if (task === "fails") throw new Error("a mistake of ours")
  if (task === "aborts") abort()
  if (task === "hangs") for (;;);
  if (task === "eats") await deliver(String(new Array(400_000_000).fill(0).map(String).length))
  if (task === "writes") writeFileSync("/tmp/milkwood-reader-was-here", "")
  if (task === "starts") fork("none")
  if (task === "connects") await fetch("http://127.0.0.1:9")
  if (task === "environment") await deliver(Object.keys(process.env).join())
}
export default read
