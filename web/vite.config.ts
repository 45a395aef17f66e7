import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { routerOptions } from "./routes.config.ts"

/** Where the server of `npm run dev` listens; the screens' own server passes calls on to it. */
const server = process.env.MILKWOOD_SERVER ?? "http://127.0.0.1:3000"

export default defineConfig({
  plugins: [tanstackRouter(routerOptions), react()],
  build: {
    outDir: "dist",
    target: "es2022",
    // The content security policy allows no inline scripts and no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Changes seldom, so browsers keep it from one release to the next.
        codeSplitting: {
          groups: [{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { "/rpc": server, "/api": server },
  },
})
