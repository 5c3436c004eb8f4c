import { defineConfig } from "vite";
import { languages } from "#locales/vite-plugin.ts";

/** The operators' page: apart from the members' bundle, and served by the console alone. */
export default defineConfig({
  plugins: [languages()],
  publicDir: false,
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark what runs in browsers only; here everything does.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
});
