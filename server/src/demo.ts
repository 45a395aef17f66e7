import "./runtime/module-loading.ts"

const { demoPassword, playDemo } = await import("./demo/play.ts")
const { runServer } = await import("./runtime/run.ts")

/** `npm run demo`: seeds a demo company in a separate database once, then serves it. */
await runServer({
  async beforeServing(app, config) {
    const accounts = await playDemo(app, config, (words) => console.log(words))
    return [
      "",
      `The demo accounts, one for each role; they all have the password ${demoPassword}`,
      ...accounts.map(({ role, email }) => `  ${role.padEnd(14)} ${email}`),
    ]
  },
})
