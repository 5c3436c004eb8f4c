import tailwind from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwind()],
  // Locale files are parsed as modules, so that only the part that screens read reaches them.
  json: { namedExports: true, stringify: false },
  build: { outDir: "../dist", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
