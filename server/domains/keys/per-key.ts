import type { MasterKey } from "#server/config/keys.ts";

/** What one key gives, made once for each key. */
export function perKey<T>(make: (key: MasterKey) => T): (key: MasterKey) => T {
  const made = new WeakMap<MasterKey, T>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}
