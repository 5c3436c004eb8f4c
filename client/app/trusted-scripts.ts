interface Rules {
  createScriptURL(address: string): string;
}

/** Trusted Types, in browsers that have them. */
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } };

const policy = trustedTypes?.createPolicy("trio", { createScriptURL: ofThisSite });

function ofThisSite(address: string): string {
  if (new URL(address, location.href).origin !== location.origin) throw new TypeError("a script of another site");
  return address;
}

/** The address of a worker of ours. The pages' policy lets no other string start a script. */
export const trustedScript = (address: string): string => policy?.createScriptURL(address) ?? address;
