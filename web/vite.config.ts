import { defineConfig } from "vite";

declare const process: { env: Record<string, string | undefined> };

// `npm run dev` shows the sources as they are, with the interface of the server that PARLEY names.
const server = process.env["PARLEY"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "./", // Works under any path of server.public_url.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    assetsDir: "app",
    assetsInlineLimit: 0, // The policy of the page lets nothing run or load from its own text.
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  server: { proxy: { "/v1": server, "/app.json": server, "/docs": server, "/openapi.json": server } },
});
