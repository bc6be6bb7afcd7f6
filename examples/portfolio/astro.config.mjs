import { defineConfig, envField } from "astro/config";

export default defineConfig({
  // What the site is built from. As secrets of the server, neither can get into what a browser is sent.
  env: {
    schema: {
      VITRINE_URL: envField.string({ context: "server", access: "secret" }),
      VITRINE_KEY: envField.string({ context: "server", access: "secret" }),
    },
  },
  build: { inlineStylesheets: "always" },
  devToolbar: { enabled: false },
});
