// npm run test:quick -- <room>: tests of a room and of the rooms that import it, within a minute.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { install, node, root } from "./install.mjs"
import { ended } from "./node.mjs"
import { quickTests } from "./quick-tests.mjs"
import { rooms } from "./sources.mjs"

const [room] = process.argv.slice(2)
if (!rooms.includes(room)) {
  console.error(room ? `There is no room "${room}".` : "Which room? npm run test:quick -- claims")
  console.error(`The rooms are: ${rooms.join(", ")}`)
  process.exit(1)
}
install()
const { rooms: chosen, run, left } = quickTests(room)
const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
process.exitCode = await ended(spawn(node, [vitest, "run", "--maxWorkers=2", ...run], { cwd: root, stdio: "inherit" }))
const inRoom = (path) => path.split("/")[2] === room
console.log(`\nRooms: ${chosen.join(", ")}. ${run.length} files run, ${left.length} left out for time.`)
for (const path of left.filter(inRoom)) console.log(`  left out: ${path}`)
const others = left.filter((path) => !inRoom(path)).length
if (others) console.log(`  left out: ${others} files of the other rooms`)
console.log("npm test runs everything.")
