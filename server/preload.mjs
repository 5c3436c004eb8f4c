// Loaded before a program and its threads (`node --import`), so that they start in a fraction of the time.
// Plain JavaScript, because taking types away is what the cache here spares.
import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "compiled"));

// For each file of a package, and each mention of it, Node reads the package's description anew. Drizzle's is 180 KB
// long and lists hundreds of files: so each name is looked up once, and its own files lie where they say.
const known = new Map();
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    if (!conditions.includes("import")) return next(specifier, context);
    if (/^drizzle-orm(\/|$)/.test(specifier)) {
      if (!known.has(specifier)) known.set(specifier, next(specifier, context));
      return { ...known.get(specifier), shortCircuit: true };
    }
    const isItsOwn = specifier.startsWith(".") && parentURL?.includes("/node_modules/drizzle-orm/");
    if (!isItsOwn) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
