import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { FileStore } from "./files.ts"
import { openStorage } from "./storage.ts"

const [url = "", folder = "", megabytes = "0"] = process.argv.slice(2)
const files = new FileStore(folder, await openStorage(url, folder))
const block = Buffer.alloc(1024 * 1024, "milkwood ")

async function isSameAfterRoundTrip(size: number): Promise<boolean> {
  const parts = (function* () {
    for (let sent = 0; sent < size; sent++) yield block
  })()
  const file = await files.receive(Readable.from(parts), size * block.length)
  await files.put(file)
  const hash = createHash("sha256")
  for await (const part of await files.storage.open(`${file.id.slice(0, 2)}/${file.id}`)) hash.update(part)
  await files.discard(file)
  return hash.digest("hex") === file.sha256
}

await isSameAfterRoundTrip(10)
const startRssBytes = process.memoryUsage().rss
const isSameContent = await isSameAfterRoundTrip(Number(megabytes))
const peakRssBytes = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ same: isSameContent, grownMb: (peakRssBytes - startRssBytes) / 1024 / 1024 }))
