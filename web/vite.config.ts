import { readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, gzip } from "node:zlib"
import { tanstackRouter } from "@tanstack/router-plugin/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { routerOptions } from "./routes.config.ts"

/** Where the server of `npm run dev` listens; the screens' own server passes calls on to it. */
const server = process.env.MILKWOOD_SERVER ?? "http://127.0.0.1:3000"

/** The PDF reader's decoders of scanned pages in plain JavaScript, which it fetches by name from /pdf/ when needed. */
function pdfDecoders(): Plugin {
  const folder = createRequire(import.meta.url)
    .resolve("pdfjs-dist/package.json")
    .replace("package.json", "wasm/")
  return {
    name: "pdf-decoders",
    apply: "build",
    generateBundle() {
      for (const name of ["jbig2_nowasm_fallback.js", "openjpeg_nowasm_fallback.js"]) {
        this.emitFile({ type: "asset", fileName: `pdf/${name}`, source: readFileSync(folder + name) })
      }
    },
  }
}

/** Beside each file of text the same compressed, which the server sends as it is. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|mjs|css|html|json|svg)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name)
          const content = await readFile(path)
          if (content.length < 1024) return
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}

/** Mantine's components by name, parts of our own by path below `web/src`. */
const frame = [
  ...["core", "ActionIcon", "Button", "Center", "Group", "Kbd", "Loader", "Portal", "Stack", "Text", "Transition"],
  "UnstyledButton",
  "platform/[\\w-]+",
  "shell/(app|bell|connection-banner|frame|navigation|proof|providers|route-failed|session|sidebar|top-bar)",
  "shell/(use-navigation|user-menu)",
  "ui/(authenticating|confirm|display|empty-state|inline-error|jobs-query|lazy-popup|list-address|load-failed)",
  "ui/(page-header|plain-page|remembered|theme|toast|unread-query|unsaved|use-command|use-phone)",
]
const fields = ["CloseButton", "Input", "InputBase", "TextInput"]
const lists = [
  ...["NativeSelect", "Skeleton"],
  "ui/data-table/(?!bulk-bar\\.|bulk-dialog\\.|column-choices\\.|group-choices\\.|days-filter\\.|peek\\.|saved-views\\.|table-cards\\.)[\\w-]+",
  "ui/(breakable|day|document-number|list-page|money|page-tabs|popups|status-badge|summary-cards|trail)",
]
const record = ["ui/(record-actions|use-download|states)"]
const among = (parts: string[]) => {
  const own = parts.filter((part) => /^(platform|shell|ui)\//.test(part)).join("|") || "-"
  const mantine = parts.filter((part) => !/^(platform|shell|ui)\//.test(part)).join("|")
  return new RegExp(
    `/web/src/(?:${own})(?:\\.module)?\\.[a-z]+(?:\\?|$)|/@mantine/core/esm/(?:components/)?(?:${mantine})/`,
  )
}

/** What comes once a page stands: the journey that weighs first pages tells it by its name. */
const laterNames = ["dashboard-charts", "chart-drawing"]

/** Chunks that stand round every page. */
const standingNames = ["rolldown-runtime", "react", "vendor", "core", "hooks", "frame"]
const standing = new RegExp(`/(${standingNames.join("|")})-[\\w-]+\\.js$`)

export default defineConfig({
  plugins: [tanstackRouter(routerOptions), react(), pdfDecoders(), compressed()],
  build: {
    target: "es2022",
    // The content security policy allows no inline scripts and no data: fonts.
    assetsInlineLimit: 0,
    // What stands round every page is there before any page is asked for: naming it beside each is a kilobyte of names.
    modulePreload: {
      polyfill: false,
      // Pages of the settings are opened seldom, and name their styles alone: the scripts they find themselves.
      resolveDependencies: (page, files, { hostType }) =>
        hostType === "html"
          ? files
          : files.filter(
              (file) => !standing.test(file) && (file === page || !/\/set-/.test(page) || !file.endsWith(".js")),
            ),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // Reading a property does nothing else anywhere in the screens: what is read and not used is left out.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // The addresses name every page's files: names that only people read would be a kilobyte of them.
        chunkFileNames: ({ name, facadeModuleId }) => {
          if ([...standingNames, ...laterNames].includes(name)) return "assets/[name]-[hash].js"
          return /[\\/]settings[\\/]pages[\\/]/.test(facadeModuleId ?? "") ? "assets/set-[hash].js" : "assets/[hash].js"
        },
        codeSplitting: {
          groups: [
            // What changes seldom is kept by browsers from one release to the next.
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            { name: "vendor", test: /node_modules[\\/](@orpc|@tanstack|use-sync-external-store)[\\/]/ },
            // Every route's address and permission in one file; its page (`?tsr-split`) is a chunk of its own.
            {
              name: "routes",
              test: /src[\\/](routeTree\.gen\.ts|shell[\\/](root|app)\.tsx|[a-z-]+[\\/]pages[\\/][^?]+\.tsx)$/,
            },
            // What stands round every page, and what every list is made of: each in one piece, not in a hundred.
            { name: "hooks", test: /node_modules[\\/](@mantine[\\/]hooks|@tabler|clsx)[\\/]/ },
            { name: "frame", test: among(frame), includeDependenciesRecursively: false },
            { name: "fields", test: among(fields), includeDependenciesRecursively: false },
            { name: "lists", test: among(lists), includeDependenciesRecursively: false },
            { name: "record", test: among(record), includeDependenciesRecursively: false },
            {
              name: "members",
              test: /[\\/]src[\\/]members[\\/](?!pages)[\w-]+-(actions|bulk-steps|words|names|cover)\.|members\.api\./,
              includeDependenciesRecursively: false,
            },
          ],
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
