import type { lookup } from "node:dns"
import { createServer } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from "node:net"
import { expect, test } from "vitest"
import { postMessage } from "./post-message.ts"
import { createGuardedLookup, findAddressProblem, isAllowedAddress } from "./reach.ts"

test.each([
  ["8.8.8.8", true],
  ["196.25.7.9", true],
  ["2606:4700:4700::1111", true],
  ["::ffff:8.8.8.8", true],
  ["127.0.0.1", false],
  ["127.8.8.8", false],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["172.31.255.255", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["192.0.2.1", false],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:a9fe:a9fe", false],
  ["::127.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["2001::7f00:1", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fc00::1", false],
  ["fd12:3456::1", false],
  ["ff02::1", false],
  ["2001:db8::1", false],
  ["nonsense", false],
  ["", false],
])("a webhook may reach %s: %s", (address, may) => expect(isAllowedAddress(address, [])).toBe(may))

test("webhooks may reach only the configured one of the internal networks", () => {
  const networks = ["10.1.0.0/16", "fd12::/16"]
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1"])
    expect(isAllowedAddress(address, networks)).toBe(true)
  for (const address of ["10.2.0.1", "127.0.0.1", "fd13::1"]) expect(isAllowedAddress(address, networks)).toBe(false)
})

const internalAddressMessage = "Enter a public internet address, not one of this server or its internal network"
test.each([
  ["https://payroll.example/milkwood?team=7", null],
  ["https://196.25.7.9:8443/", null],
  ["http://payroll.example/", "The address must begin with https://"],
  ["ftp://payroll.example/", "The address must begin with https://"],
  ["payroll.example", "Enter an address like https://payroll.example/milkwood"],
  ["https://user:secret@payroll.example/", "The address must not contain a user name or password"],
  ["https://payroll.example/#part", "The address must not have a part after #"],
  ["https://localhost/", internalAddressMessage],
  ["https://127.0.0.1/", internalAddressMessage],
  ["https://2130706433/", internalAddressMessage],
  ["https://0x7f.1/", internalAddressMessage],
  ["https://[::1]/", internalAddressMessage],
  ["https://[::ffff:169.254.169.254]/", internalAddressMessage],
  ["https://169.254.169.254/latest/meta-data", internalAddressMessage],
  ["https://10.0.0.8/", internalAddressMessage],
  ["http://localhost:3000/", "The address must begin with https://"],
])("%s: %s", (url, problem) => expect(findAddressProblem(url, [])).toBe(problem))

test("http is allowed only for this machine, and only if configured", () => {
  const networks = ["127.0.0.0/8", "10.0.0.0/8"]
  expect(findAddressProblem("http://127.0.0.1:4000/", networks)).toBeNull()
  expect(findAddressProblem("http://localhost:4000/", networks)).toBeNull()
  expect(findAddressProblem("https://10.0.0.8/", networks)).toBeNull()
  expect(findAddressProblem("http://10.0.0.8/", networks)).toBe("The address must begin with https://")
})

const createResolver = (...addresses: string[]) =>
  ((_name: string, _options: object, done: (error: null, found: { address: string; family: number }[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )) as unknown as typeof lookup

const lookUpHost = (look: LookupFunction, all: boolean) =>
  new Promise((resolve) => look("payroll.example", { all }, (error, found) => resolve(error ? error.message : found)))

test("a name is refused if any of its addresses is internal", async () => {
  const refused = "The address resolves to 10.0.0.8, which is not a public internet address."
  for (const all of [true, false]) {
    expect(await lookUpHost(createGuardedLookup([], createResolver("10.0.0.8")), all)).toBe(refused)
    expect(await lookUpHost(createGuardedLookup([], createResolver("8.8.8.8", "10.0.0.8")), all)).toBe(refused)
  }
  expect(await lookUpHost(createGuardedLookup([], createResolver("8.8.8.8")), false)).toBe("8.8.8.8")
  expect(await lookUpHost(createGuardedLookup([], createResolver("8.8.8.8")), true)).toEqual([
    { address: "8.8.8.8", family: 4 },
  ])
})

test("refuses forbidden addresses by name or number, and follows no redirects", async () => {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    if (request.url === "/away") response.writeHead(302, { location: "/" }).end()
    else response.end("Thank\u0000s".repeat(2_000))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const post = (url: string, networks: string[] = []) =>
    postMessage({ url, body: "{}", headers: {}, networks }, new AbortController().signal)
  const refused = (address: string) => `The address resolves to ${address}, which is not a public internet address.`
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, said: refused("127.0.0.1") })
  expect((await post(`http://localhost:${port}/`)).said).toMatch(
    /^The address resolves to (127\.0\.0\.1|::1), which is not/,
  )
  expect((await post(`http://[::ffff:127.0.0.1]:${port}/`)).status).toBeNull()
  expect(calls).toBe(0)
  const taken = await post(`http://127.0.0.1:${port}/`, ["127.0.0.1/32"])
  expect(taken.status).toBe(200)
  expect(taken.said.length).toBe(300)
  expect(taken.said).not.toContain("\u0000")
  expect(await post(`http://127.0.0.1:${port}/away`, ["127.0.0.1/32"])).toMatchObject({ status: 302 })
  expect(calls).toBe(2)
  server.close()
  expect(await post(`http://127.0.0.1:1/`, ["127.0.0.1/32"])).toMatchObject({ said: "The connection was refused." })
  expect(await post("https://nobody.invalid/")).toMatchObject({ status: null })
})

test("a response with a truncated body or a protocol upgrade is still recorded", async () => {
  const answers: Record<string, string> = {
    "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nThanks",
    "/other": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n",
    "/nothing": "",
  }
  const server = createTcpServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", (asked) => {
      const answer = answers[asked.toString().split(" ")[1]!]!
      socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 50))
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const post = (path: string) =>
    postMessage(
      { url: `http://127.0.0.1:${port}${path}`, body: "{}", headers: {}, networks: ["127.0.0.1/32"] },
      new AbortController().signal,
    )
  expect(await post("/cut")).toMatchObject({ status: 200, said: "Thanks" })
  expect(await post("/other")).toMatchObject({ status: 101 })
  expect(await post("/nothing")).toMatchObject({ status: null, said: "The connection was closed before a response." })
  server.close()
})
