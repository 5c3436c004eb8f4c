// Loaded before a program and its threads (`node --import`), so that they start in a fraction of the time.
// Plain JavaScript, because taking types away is what the cache here spares.
import { enableCompileCache, registerHooks } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "..", "node_modules", ".cache", "compiled"));

const ROOT = new URL("..", import.meta.url).href;
const PACKAGES = `${ROOT}node_modules/`;

// For each file, and each mention of it, Node reads the description of its package anew, and asks the disk what the file
// is. The project's own sources and drizzle's hundreds of files lie where their names say; and whatever the project
// calls by a package's name is looked up once.
const known = new Map();
function lookUpOnce(specifier, context, next) {
  if (!known.has(specifier)) known.set(specifier, { ...next(specifier, context), shortCircuit: true });
  return known.get(specifier);
}

const isRelative = (specifier) => /^\.\.?\//.test(specifier);
/** A package's name, or one of the project's own, as `#server/…`: no path and no address. */
const isName = (specifier) => !/^([./]|[a-z]+:)/.test(specifier);
const isOwn = (url) => url !== undefined && url.startsWith(ROOT) && !url.startsWith(PACKAGES);

/** Where a source of the project names another one: relative to itself, or `#server/…` from the root. */
function ownSource(specifier, parentURL) {
  if (!specifier.endsWith(".ts")) return null;
  if (specifier.startsWith("#")) return new URL(specifier.slice(1), ROOT).href;
  return isRelative(specifier) ? new URL(specifier, parentURL).href : null;
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions } = context;
    if (!conditions.includes("import")) return next(specifier, context);
    if (isOwn(parentURL)) {
      const source = ownSource(specifier, parentURL);
      if (source !== null) return { url: source, format: "module-typescript", shortCircuit: true };
      if (isName(specifier)) return lookUpOnce(specifier, context, next);
    }
    if (/^drizzle-orm(\/|$)/.test(specifier)) return lookUpOnce(specifier, context, next);
    if (!specifier.startsWith(".") || !parentURL?.includes("/node_modules/drizzle-orm/"))
      return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
