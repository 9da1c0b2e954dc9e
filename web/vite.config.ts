import { defineConfig } from "vite";

declare const process: { env: Record<string, string | undefined> };

// `npm run dev` serves the sources directly, with the API of the server that PARLEY names.
const server = process.env["PARLEY"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "./", // Works under any path of server.public_url.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    assetsDir: "app",
    assetsInlineLimit: 0, // The policy of the page allows no inline content.
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  server: { proxy: { "/v1": server, "/app.json": server, "/docs": server, "/openapi.json": server } },
});
